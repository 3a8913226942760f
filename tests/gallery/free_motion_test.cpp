// Scenes without contacts, whose motion has a closed form.
#include <cmath>

#include "gallery/gallery_scene.h"

namespace rigor::test {
namespace {

/// When the body's own y component of its angular velocity next changes sign.
double next_flip(GalleryScene& show, const std::string& body, double dt) {
    const auto own_y = [&] {
        const BodyState s = show.state(body);
        return rotate(conjugate(s.orientation), s.angular_velocity).y;
    };
    const double before = own_y();
    double last = before;
    for (int i = 0; i < 100'000; ++i) {
        show.run(dt, dt);
        const double now = own_y();
        if (before * now < 0) return show.world().time() - dt * now / (now - last);
        last = now;
    }
    return INFINITY;
}

TEST(Gallery, AsymmetricTop) {
    GalleryScene show("asymmetric_top");
    const double first = next_flip(show, "box", 1e-3);
    EXPECT_NEAR(first, 1.165960, 1e-5);
    EXPECT_NEAR(next_flip(show, "box", 1e-3) - first, 3.028422, 1e-5);
}

TEST(Gallery, IntermediateAxis) {
    GalleryScene show("intermediate_axis");
    const double first = next_flip(show, "plate", 0.01);
    EXPECT_NEAR(next_flip(show, "plate", 0.01) - first, 19.552867, 1e-4);
}

TEST(Gallery, StableSpin) {
    GalleryScene show("stable_spin");
    for (int i = 0; i < 100; ++i) {
        show.run(1);
        ASSERT_LT(show.turned("box"), 5) << "after " << i << " s";
    }
}

TEST(Gallery, FreeFall) {
    GalleryScene show("free_fall");
    show.run(4);
    for (const std::string& body : show.dynamic()) {
        EXPECT_NEAR(show.place(body).x, 3 * 4, 1e-9) << body;
        EXPECT_NEAR(show.place(body).z, 100 + 20 * 4 - 4.905 * 16, 1e-9) << body;
    }
}

TEST(Gallery, ThrownShapes) {
    GalleryScene show("thrown_shapes");
    show.run(2);
    for (const std::string& body : show.dynamic()) {
        EXPECT_NEAR(show.moved(body), 10 * 2 - 4.905 * 4, 1e-9) << body;
        EXPECT_GT(show.turned(body) + show.turned(body, {1, 0, 0}), 1) << body;
    }
}

// Each of a pair moves as the other does.
TEST(Gallery, DecomposedCups) {
    GalleryScene show("decomposed_cups");
    show.run(0.8);
    for (const std::string kind : {"cup", "ring"}) {
        const Vec3d pieces =
            show.place(kind + " of pieces") - show.start().at(kind + " of pieces").position;
        const Vec3d whole = show.place(kind) - show.start().at(kind).position;
        EXPECT_LT(length(pieces - whole), 1e-6) << kind;
        EXPECT_LT(length(show.axis(kind + " of pieces") - show.axis(kind)), 1e-4) << kind;
    }
}

TEST(Gallery, WrongInertia) {
    GalleryScene show("wrong_inertia");
    show.run(5);
    EXPECT_GT(length(show.axis("right") - show.axis("axes mixed up")), 0.1);
    EXPECT_GT(length(show.axis("right") - show.axis("about a corner")), 0.1);
}

TEST(Gallery, FreeBodies100k) {
    GalleryScene show("free_bodies_100k");
    show.run(3.0 / 60);
    const double fall = 9.81 * (1 + 2 + 3) / 3600; // of the first-order method it chooses
    EXPECT_EQ(show.dynamic().size(), 100'000u);
    for (const std::string& box : show.dynamic()) ASSERT_NEAR(show.moved(box), fall, 1e-9) << box;
}

} // namespace
} // namespace rigor::test
