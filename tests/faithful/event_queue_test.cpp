// The event queue: earliest first, simultaneous impacts by pair, stale events dropped.

#include "faithful/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rigor::faithful {
namespace {

using Predictions = std::vector<std::optional<PredictedMotion>>;

constexpr std::size_t kBodies = 4;

PredictedMotion prediction_until(double end) {
    PredictedMotion prediction;
    prediction.end.time = end;
    return prediction;
}

TEST(EventQueue, PopsTheEarliestEventFirst) {
    EventQueue queue(kBodies);
    for (const double time : {0.3, 0.1, 0.4, 0.2}) queue.push_impact(time, {0, 1}, 0, 1);
    std::vector<double> times;
    while (const std::optional<StepEvent> event = queue.pop_next({})) times.push_back(event->time);
    EXPECT_EQ(times, (std::vector<double>{0.1, 0.2, 0.3, 0.4}));
}

// Whatever the order of the pushes, impacts of the same time come in the order of their shapes, and
// of images of the same shapes in the order of the shift.
TEST(EventQueue, PopsSimultaneousImpactsByPair) {
    std::vector<ShapePair> pairs = {{0, 1}, {0, 3}, {0, 3, {1, 0, 0}}, {1, 2}, {2, 3}};
    const std::vector<ShapePair> sorted = pairs;
    do {
        EventQueue queue(kBodies);
        for (const ShapePair& pair : pairs) queue.push_impact(0.5, pair, pair.a, pair.b);
        std::vector<ShapePair> popped;
        while (const std::optional<StepEvent> event = queue.pop_next({}))
            popped.push_back(event->pair);
        ASSERT_EQ(popped, sorted);
    } while (std::next_permutation(pairs.begin(), pairs.end()));
}

TEST(EventQueue, DropsImpactsOfABodyWhoseTrajectoryHasChanged) {
    EventQueue queue(kBodies);
    queue.push_impact(0.1, {0, 1}, 0, 1);
    queue.push_impact(0.2, {1, 2}, 1, 2);
    queue.push_impact(0.3, {2, 3}, 2, 3);
    queue.invalidate_impacts(1);
    queue.push_impact(0.4, {0, 1}, 0, 1); // predicted from the new trajectory
    const std::optional<StepEvent> first = queue.pop_next({}), second = queue.pop_next({});
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->pair, (ShapePair{2, 3}));
    EXPECT_EQ(second->pair, (ShapePair{0, 1}));
    EXPECT_EQ(second->time, 0.4);
    EXPECT_FALSE(queue.pop_next({}));
}

TEST(EventQueue, KeepsTheBodiesOfAnImpact) {
    EventQueue queue(kBodies);
    queue.push_impact(0.1, {7, 9}, 3, 2);
    const std::optional<StepEvent> event = queue.pop_next({});
    ASSERT_TRUE(event);
    EXPECT_TRUE(event->is_impact());
    EXPECT_EQ(event->body_a, 3u);
    EXPECT_EQ(event->body_b, 2u);
}

TEST(EventQueue, PopsAHorizonBeforeAnImpactOfTheSameTime) {
    EventQueue queue(kBodies);
    const Predictions predictions = {prediction_until(0.5)};
    queue.push_impact(0.5, {0, 1}, 0, 1);
    queue.push_horizon(0.5, 0);
    const std::optional<StepEvent> event = queue.pop_next(predictions);
    ASSERT_TRUE(event);
    EXPECT_FALSE(event->is_impact());
    EXPECT_EQ(event->prediction, 0u);
}

// A merged or released island has no prediction any more, and one that was extended has a later
// end.
TEST(EventQueue, DropsHorizonsOfPredictionsThatAreGoneOrExtended) {
    EventQueue queue(kBodies);
    const Predictions predictions = {std::nullopt, prediction_until(0.4), prediction_until(0.3)};
    queue.push_horizon(0.1, 0);
    queue.push_horizon(0.2, 1);
    queue.push_horizon(0.3, 2);
    const std::optional<StepEvent> event = queue.pop_next(predictions);
    ASSERT_TRUE(event);
    EXPECT_EQ(event->prediction, 2u);
    EXPECT_FALSE(queue.pop_next(predictions));
}

} // namespace
} // namespace rigor::faithful
