// Two hulls of any vertices, from 1e-20 to 1e20, at any pose: distances and contacts, in double and
// in float, must end, be finite, and be counted when an iteration did not converge.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "collide/contacts.h"
#include "collide/distance.h"
#include "collide/epa.h"
#include "collide/gjk.h"

namespace {

using namespace rigor;

struct Counts {
    long queries = 0, stuck = 0, most_iterations = 0;

    ~Counts() {
        std::fprintf(stderr,
                     "fuzz_distance: %ld queries, %ld not converged, at most %ld iterations\n",
                     queries, stuck, most_iterations);
    }
};
Counts counts;

/// Numbers out of bytes; zeros when there are none left.
class Bytes {
  public:
    Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

    std::uint8_t byte() {
        if (left_ == 0) return 0;
        --left_;
        return *data_++;
    }
    /// Two bytes of mantissa and sign, and sometimes one of exponent, from -20 to 20.
    double number() {
        const int mantissa = static_cast<std::int8_t>(byte()) * 256 + byte();
        const std::uint8_t kind = byte();
        const double value = mantissa / 8192.0;
        if (kind < 192) return value;
        const int exponent = static_cast<int>(byte()) % 41 - 20;
        double power = 1;
        for (int i = 0; i < std::abs(exponent); ++i) power *= exponent < 0 ? 0.1 : 10.0;
        return value * power;
    }
    Vec3d vec() {
        const double x = number(), y = number(), z = number();
        return {x, y, z};
    }
    Quatd rotation() {
        const Quatd q{number(), number(), number(), number()};
        const double scale = std::max({std::abs(q.w), std::abs(q.x), std::abs(q.y), std::abs(q.z)});
        return scale > 0 ? normalize(q * (1 / scale)) : Quatd{};
    }

  private:
    const std::uint8_t* data_;
    std::size_t left_;
};

Result<Shape<double>> some_hull(Bytes& bytes) {
    HullDef hull;
    const int count = 4 + bytes.byte() % 24;
    for (int i = 0; i < count; ++i) hull.points.push_back(bytes.vec());
    ShapeDef def;
    def.geometry = hull;
    return make_shape(def);
}

template <class S>
void check(const Shape<S>& a, const Shape<S>& b, const Pose<S>& pose) {
    DistanceCache<S> cache;
    for (int again = 0; again < 2; ++again) { // cold, then warm
        const Distance<S> d = distance(a, b, pose, &cache);
        ++counts.queries;
        counts.stuck += d.converged ? 0 : 1;
        counts.most_iterations = std::max(counts.most_iterations, static_cast<long>(d.iterations));
        if (!std::isfinite(d.distance) || !is_finite(d.normal) || !is_finite(d.point_a) ||
            !is_finite(d.point_b)) {
            std::abort();
        }
        if (d.iterations > 2 * kMaxGjkIterations + kMaxEpaVertices + 500) std::abort();
    }
}

template <class S>
bool is_sound(const Manifold<S>& m) {
    if (m.count < 0 || m.count > 4 || (m.count > 0 && !is_finite(m.normal))) return false;
    for (int i = 0; i < m.count; ++i) {
        const ContactPoint<S>& p = m.points[static_cast<std::size_t>(i)];
        if (!is_finite(p.point_a) || !std::isfinite(p.separation)) return false;
    }
    return true;
}

template <class S>
void check_contacts(const Shape<S>& a, const Shape<S>& b, Pose<S> pose) {
    const ContactSettings<S> wanted{S(0.02), S(0.001)};
    std::vector<PartContact<S>> contacts;
    for (int again = 0; again < 3; ++again) { // cold, then warm, then after a motion
        find_contacts(a, b, pose, wanted, contacts);
        for (const PartContact<S>& c : contacts) {
            if (!is_sound(c.manifold)) std::abort();
        }
        if (again == 1) pose.p *= S(1.001);
    }
}

template <class S>
void check_all(const Shape<S>& a, const Shape<S>& b, const Pose<S>& pose) {
    check(a, b, pose);
    check_contacts(a, b, pose);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    const Posed pose{bytes.vec(), bytes.rotation()};
    const Result<Shape<double>> a = some_hull(bytes), b = some_hull(bytes);
    for (const auto* shape : {&a, &b}) {
        if (!*shape && shape->error().message.empty()) std::abort();
    }
    if (!a || !b) return 0;
    check_all(*a, *b, pose);
    check_all(*a, *a, pose);
    check_all(to_float(*a), to_float(*b), cast<float>(pose));
    return 0;
}
