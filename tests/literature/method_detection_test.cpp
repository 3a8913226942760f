// The time to the next contact, by each kind of detection.

#include "literature/method_detection.h"

#include <gtest/gtest.h>

#include "stage_world.h"

namespace rigor::literature {
namespace {

using test::kBallRadius;
using test::StageWorld;

MethodParts with_detection(Detection detection) {
    MethodParts method;
    method.detection = detection;
    method.contact_distance = 1e-4;
    return method;
}

double time_found(StageWorld& world, Detection detection, double time_left) {
    const MethodParts method = with_detection(detection);
    const MethodState step = world.detect(method, time_left);
    return time_to_contact(world.state, method, step, time_left);
}

// A ball at 1 m/s over a gap of half a meter: it is stopped within the contact distance, on the
// free side.
TEST(TimeToContact, EndsOnTheFreeSideOfTheGround) {
    for (const Detection detection :
         {Detection::advancement, Detection::substep, Detection::bisection}) {
        StageWorld world(0);
        world.add_ground();
        world.add_ball({0, 0, kBallRadius + 0.5}, {0, 0, -1});
        const double gap = 0.5 - time_found(world, detection, 2);
        EXPECT_GE(gap, 0) << name(detection);
        EXPECT_LE(gap, 1.01e-4) << name(detection);
    }
}

TEST(TimeToContact, IsTheWholeTimeUnderStaticDetection) {
    StageWorld world(0);
    world.add_ground();
    world.add_ball({0, 0, kBallRadius + 0.5}, {0, 0, -1});
    EXPECT_EQ(time_found(world, Detection::static_only, 2), 2);
}

// [Kavan 2003, figure 1]: what looks at the end of the motion alone does not see a thin plate that
// a ball has passed by then. Bisection starts from an overlap at the end, so it misses it too.
TEST(TimeToContact, AThinPlateIsMissedByBisectionOnly) {
    for (const Detection detection :
         {Detection::advancement, Detection::substep, Detection::bisection}) {
        StageWorld world(0);
        world.add_static(BoxDef{{1, 1, 0.02}});
        world.add_ball({0, 0, 0.5}, {0, 0, -1}, 1, 0.05);
        const double found = time_found(world, detection, 1);
        if (detection == Detection::bisection)
            EXPECT_EQ(found, 1);
        else
            EXPECT_NEAR(found, 0.5 - 0.05 - 0.01, 2e-4) << name(detection);
    }
}

// A pair in contact is the business of impacts and resting forces; else no body could leave.
TEST(TimeToContact, LeavesOutPairsInContact) {
    for (const Detection detection : {Detection::advancement, Detection::substep}) {
        StageWorld world(0);
        world.add_ground();
        world.add_ball({0, 0, kBallRadius + 5e-5}, {0, 0, -1});
        EXPECT_EQ(time_found(world, detection, 1), 1) << name(detection);
    }
}

TEST(TimeToContact, IsThatOfTheFirstPair) {
    StageWorld world(0);
    world.add_ground();
    world.add_ball({0, 0, kBallRadius + 0.5}, {0, 0, -1});
    world.add_ball({3, 0, kBallRadius + 0.2}, {0, 0, -1});
    EXPECT_NEAR(time_found(world, Detection::advancement, 1), 0.2, 2e-4);
}

} // namespace
} // namespace rigor::literature
