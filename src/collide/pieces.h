// Compounds: pairs of their children, for distance, contact and time-of-impact queries.
#pragma once

#include <variant>

#include "collide/core.h"

namespace rigor {

/// A shape that is not a compound, as a core or a pointer. A convex mesh is the core of its hull.
template <class S>
using Piece = std::variant<Core<S>, const Plane<S>*, const TriangleMesh<S>*, const HeightField<S>*>;

template <class T, class S>
concept SurfaceOf = std::same_as<T, TriangleMesh<S>> || std::same_as<T, HeightField<S>>;

template <class S, class Held>
Piece<S> piece_of(const Held& held) {
    const auto& solid = solid_of(held);
    if constexpr (RoundedConvex<std::decay_t<decltype(solid)>, S>) {
        return core_of(solid);
    } else if constexpr (std::same_as<std::decay_t<decltype(solid)>, TriangleMesh<S>>) {
        return solid.hull ? Piece<S>(core_of(*solid.hull)) : Piece<S>(&solid);
    } else {
        return &solid;
    }
}

/// The children of a shape and their poses; a shape that is not a compound is its own only child.
template <class S>
class Children {
  public:
    explicit Children(const Shape<S>& shape) : shape_(shape) {
        const auto* held = std::get_if<std::shared_ptr<const Compound<S>>>(&shape.solid);
        if (held) compound_ = held->get();
    }

    std::uint32_t size() const {
        return compound_ ? static_cast<std::uint32_t>(compound_->children.size()) : 1;
    }
    Pose<S> pose(std::uint32_t i) const {
        return compound_ ? compound_->children[i].pose : Pose<S>{};
    }
    Piece<S> piece(std::uint32_t i) const {
        if (!compound_) return piece_of_shape(shape_);
        return std::visit([](const auto& held) { return piece_of<S>(held); },
                          compound_->children[i].shape);
    }
    bool is_compound() const { return compound_ != nullptr; }

    static Piece<S> piece_of_shape(const Shape<S>& shape) {
        return std::visit(
            [](const auto& held) -> Piece<S> {
                using Solid = std::decay_t<decltype(solid_of(held))>;
                if constexpr (std::same_as<Solid, Compound<S>>) {
                    return Core<S>{};
                } else {
                    return piece_of<S>(held);
                }
            },
            shape.solid);
    }

  private:
    const Shape<S>& shape_;
    const Compound<S>* compound_ = nullptr;
};

} // namespace rigor
