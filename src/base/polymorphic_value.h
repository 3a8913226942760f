// PolymorphicValue: owns an object of a class hierarchy with value semantics; a copy clones the
// object.
#pragma once

#include <memory>
#include <utility>

namespace rigor {

/// `Base` has a virtual destructor and `std::unique_ptr<Base> clone() const`. Never empty, except
/// after a move.
template <class Base>
class PolymorphicValue {
  public:
    explicit PolymorphicValue(std::unique_ptr<Base> object) : object_(std::move(object)) {}
    PolymorphicValue(const PolymorphicValue& other) : object_(other.object_->clone()) {}
    PolymorphicValue(PolymorphicValue&&) noexcept = default;
    PolymorphicValue& operator=(const PolymorphicValue& other) {
        if (this != &other) object_ = other.object_->clone();
        return *this;
    }
    PolymorphicValue& operator=(PolymorphicValue&&) noexcept = default;
    ~PolymorphicValue() = default;

    Base& operator*() { return *object_; }
    const Base& operator*() const { return *object_; }
    Base* operator->() { return object_.get(); }
    const Base* operator->() const { return object_.get(); }

  private:
    std::unique_ptr<Base> object_;
};

} // namespace rigor
