// Contacts as features fixed in bodies: gap and rates are exact functions of the motion.

#include <gtest/gtest.h>

#include <cmath>

#include "contact_dynamics/contact_geometry.h"
#include "rigor/rotation.h"
#include "test_support.h"

namespace rigor::contact_dynamics {
namespace {

using test::message;
using test::Random;

BodyKinematics body_at(Random& random, const Vec3d& x) {
    BodyKinematics body;
    body.x = x;
    body.q = random.rotation();
    body.v = random.vec();
    body.w = random.vec(-2, 2);
    return body;
}

/// Where it is a little later, turning and moving steadily.
BodyKinematics later(const BodyKinematics& body, double t) {
    BodyKinematics moved = body;
    moved.x += body.v * t;
    moved.q = normalize(from_rotation_vector(body.w * t) * body.q);
    return moved;
}

BodyFeature feature_of(FeatureForm form, Random& random) {
    BodyFeature f{form, random.vec() * 0.3, random.direction(), 0.1, 0};
    if (form == FeatureForm::plane) f.radius = 0;
    if (form == FeatureForm::rim) f.rim_radius = 0.4;
    return f;
}

double normal_rate(const ContactGeometry& geometry, const BodyKinematics& a,
                   const BodyKinematics& b) {
    const ContactFrame frame = frame_of(geometry, a, b);
    return dot(velocity_at(b, frame.point) - velocity_at(a, frame.point), frame.normal);
}

// The rate of the gap is the relative velocity of the bodies at the point of contact, along the
// normal, whatever rolls there; and its own rate is what `drift` says. Both are compared with
// differences of the gap at neighboring times.
TEST(ContactGeometry, RatesAreThoseOfTheGap) {
    using Form = FeatureForm;
    const std::pair<Form, Form> kinds[] = {{Form::point, Form::plane}, {Form::plane, Form::point},
                                           {Form::point, Form::point}, {Form::line, Form::line},
                                           {Form::point, Form::line},  {Form::line, Form::point},
                                           {Form::rim, Form::plane},   {Form::plane, Form::rim}};
    Random random(5);
    for (const auto& [form_a, form_b] : kinds) {
        for (int i = 0; i < 20; ++i) {
            const BodyKinematics a = body_at(random, {0, 0, 0}), b = body_at(random, {0, 0, 3});
            ContactGeometry geometry{feature_of(form_a, random), feature_of(form_b, random), {}};
            geometry.side = inverse_rotate(a.q, Vec3d{0, 0, 1});
            const ContactFrame now = frame_of(geometry, a, b);
            constexpr double h = 1e-4;
            const double before = frame_of(geometry, later(a, -h), later(b, -h)).gap;
            const double after = frame_of(geometry, later(a, h), later(b, h)).gap;
            SCOPED_TRACE(
                message("forms ", static_cast<int>(form_a), " ", static_cast<int>(form_b)));
            EXPECT_NEAR(normal_rate(geometry, a, b), (after - before) / (2 * h), 1e-5);
            EXPECT_NEAR(now.bias_acceleration.z, (after - 2 * now.gap + before) / (h * h),
                        1e-4 * (1 + std::abs(now.bias_acceleration.z)));
        }
    }
}

// A ball that rolls on a plane has its contact straight below its center: no drift, though its
// surface point there is on a circle.
TEST(ContactGeometry, ARollingBallDoesNotDrift) {
    BodyKinematics ball, ground;
    ball.x = {0, 0, 0.5};
    ball.v = {2, 0, 0};
    ball.w = {0, 4, 0};
    const ContactGeometry geometry{
        {FeatureForm::plane, {}, {0, 0, 1}, 0, 0}, {FeatureForm::point, {}, {}, 0.5, 0}, {}};
    const ContactFrame frame = frame_of(geometry, ground, ball);
    EXPECT_NEAR(frame.gap, 0, 1e-16);
    EXPECT_NEAR(length(velocity_at(ball, frame.point)), 0, 1e-15);
    EXPECT_NEAR(length(frame.bias_acceleration), 0, 1e-15);
}

// Solids of all kinds, mostly along each other: their features must say of every point of the
// manifold what the manifold says. The lines of two edges side by side cross far from where they
// touch.
TEST(ContactGeometry, GapsAreThoseOfTheManifold) {
    Random random(11);
    const std::vector<Shape<double>> shapes{
        {Sphere<double>{0.3}},
        {Box<double>{{0.3, 0.2, 0.4}, 0}},
        {Box<double>{{0.3, 0.2, 0.4}, 0.05}},
        {Capsule<double>{0.4, 0.1}},
        {Cylinder<double>{0.2, 0.3, 0}},
    };
    int seen = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        const auto pick = [&]() -> const Shape<double>& {
            return shapes[static_cast<std::size_t>(random.integer(0, 4))];
        };
        const Shape<double>&a = pick(), &b = pick();
        const double tilt = random.integer(0, 1) == 0 ? 0.05 : 3;
        const Posed b_in_a{random.vec(-0.8, 0.8), from_rotation_vector(random.vec() * tilt)};
        std::vector<PartContact<double>> parts;
        find_contacts(a, b, b_in_a, ContactSettings<double>{1e-3, 1e-12}, parts);
        for (const PartContact<double>& part : parts)
            for (int i = 0; i < part.manifold.count; ++i) {
                const ContactPoint<double>& point =
                    part.manifold.points[static_cast<std::size_t>(i)];
                if (point.separation < -0.02) continue; // so deep nothing is followed
                const ContactGeometry geometry =
                    make_geometry({&a, {}}, {&b, {}}, b_in_a, part.manifold, i);
                const ClosestPoints<double> now = closest_points<double>(geometry, {}, b_in_a);
                const bool rolls =
                    geometry.a.form == FeatureForm::rim || geometry.b.form == FeatureForm::rim;
                if (rolls) continue; // of all points of a rim the lowest one counts
                EXPECT_NEAR(now.gap, point.separation, 2e-9) << trial;
                EXPECT_GT(dot(now.normal, part.manifold.normal), 1 - 1e-6) << trial;
                ++seen;
            }
    }
    EXPECT_GT(seen, 500);
}

/// By how much a direction parts two boxes.
double separation_along(const Vec3d& n, const Vec3d& half, const Posed& a, const Posed& b) {
    double top = -1e300, low = 1e300;
    for (int i = 0; i < 8; ++i) {
        const Vec3d corner{i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                           i & 4 ? half.z : -half.z};
        top = std::max(top, dot(n, transform(a, corner)));
        low = std::min(low, dot(n, transform(b, corner)));
    }
    return low - top;
}

// Two cards lean on each other: their upper edges touch along their lengths. Sides of end faces
// that end there cross too, but the direction across them runs through the cards; and the direction
// between points 1e-12 m apart is rounded, and tilts along the ridge.
TEST(ContactGeometry, NormalsAtARidgePartTheSolids) {
    const Vec3d half{0.002, 0.06, 0.09};
    const Shape<double> card{Box<double>{half, 0}};
    Random random(3);
    int seen = 0;
    for (const double lean : {0.05, 0.3, 0.506, 0.7})
        for (int trial = 0; trial < 300; ++trial) {
            const double noise = trial < 10 ? 0 : std::pow(10.0, -10 - random.integer(0, 6));
            const Posed a{{}, from_rotation_vector(Vec3d{0, lean, 0})};
            const double x = half.x * std::cos(lean) + half.z * std::sin(lean);
            const Vec3d turn = Vec3d{0, -lean, 0} + random.vec() * noise;
            const Posed b{Vec3d{2 * x, 0, 0} + random.vec() * noise, from_rotation_vector(turn)};
            const Posed b_in_a = relative_pose<double>(a, b);
            std::vector<PartContact<double>> parts;
            find_contacts(card, card, b_in_a, ContactSettings<double>{1e-11, 1e-12}, parts);
            for (const PartContact<double>& part : parts)
                for (int i = 0; i < part.manifold.count; ++i) {
                    const ClosestPoints<double> now = closest_points<double>(
                        make_geometry({&card, {}}, {&card, {}}, b_in_a, part.manifold, i), a, b);
                    EXPECT_GT(separation_along(now.normal, half, a, b), now.gap - 2e-9)
                        << message("lean ", lean, ", noise ", noise, ", trial ", trial);
                    ++seen;
                }
        }
    EXPECT_GT(seen, 500);
}

} // namespace
} // namespace rigor::contact_dynamics
