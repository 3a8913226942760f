#include "collide/face_clip.h"

namespace rigor {
namespace {

template <class S>
ReferencePlane<S> plane_of(const FacePolygon<S>& reference, const Vec3<S>& origin) {
    ReferencePlane<S> plane;
    plane.normal = reference.normal;
    plane.origin = origin;
    if (reference.is_face()) {
        plane.origin = reference.corners[0].p;
        plane.u = normalize(reference.corners[1].p - reference.corners[0].p);
    }
    if (plane.u == Vec3<S>{}) plane.u = perpendicular(reference.normal);
    plane.v = cross(plane.normal, plane.u);
    return plane;
}

template <class S>
struct PlanePoint {
    S x, y;
};

/// Along the sides of the reference polygon, counterclockwise.
template <class S>
void cut_along_all(const FacePolygon<S>& reference, const ReferencePlane<S>& plane, S slack,
                   PolygonCut<S>& cut) {
    const Corner<S>* corners = reference.corners.data();
    const std::size_t count = reference.corners.size();
    const auto project = [&](const Vec3<S>& p) {
        const Vec3<S> d = p - plane.origin;
        return PlanePoint<S>{dot(d, plane.u), dot(d, plane.v)};
    };
    const PlanePoint<S> first{S(0), S(0)}; // the origin is the first vertex
    PlanePoint<S> p = first;
    for (std::size_t i = 0; i < count; ++i) {
        const PlanePoint<S> q = i + 1 < count ? project(corners[i + 1].p) : first;
        const S dx = q.x - p.x, dy = q.y - p.y;
        cut.cut(static_cast<std::uint32_t>(i),
                {dy, -dx, dy * p.x - dx * p.y, slack * (std::abs(dx) + std::abs(dy))});
        p = q;
    }
}

} // namespace

template <class S>
ReferencePlane<S> clip_to_face(const FacePolygon<S>& reference, const Vec3<S>& origin,
                               const FacePolygon<S>& incident, S margin, S slack,
                               ClipPoints<S>& out) {
    const ReferencePlane<S> plane = plane_of(reference, origin);
    const std::size_t cuts = reference.is_face() ? reference.corners.size() : 0;
    InlineVector<SideNames, 16> name_storage;
    SideNames* names = array_for(cuts, name_storage);
    for (std::size_t i = 0; i < cuts; ++i)
        names[i] = {reference.corners[i].vertex, reference.corners[i].edge};
    PolygonCut<S> cut(incident.corners.size(), names, cuts, reference.face, incident.face);
    for (const Corner<S>& corner : incident.corners) {
        const Vec3<S> d = corner.p - plane.origin;
        cut.add(dot(d, plane.u), dot(d, plane.v), dot(d, plane.normal),
                {corner.vertex, corner.edge});
    }
    if (cuts > 0) cut_along_all(reference, plane, slack, cut);
    cut.collect(margin, out);
    return plane;
}

template ReferencePlane<float> clip_to_face(const FacePolygon<float>&, const Vec3<float>&,
                                            const FacePolygon<float>&, float, float,
                                            ClipPoints<float>&);
template ReferencePlane<double> clip_to_face(const FacePolygon<double>&, const Vec3<double>&,
                                             const FacePolygon<double>&, double, double,
                                             ClipPoints<double>&);

} // namespace rigor
