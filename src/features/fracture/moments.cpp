#include "features/fracture/moments.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

// The integral of x xᵀ dm about the center of mass, and back: I = tr(J) - J.
Sym3d second_moments(const Sym3d& inertia) {
    return Sym3d::identity() * (inertia.trace() / 2) - inertia;
}

Sym3d inertia_of(const Sym3d& second) {
    return Sym3d::identity() * second.trace() - second;
}

Sym3d square(const Vec3d& v) {
    return {v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.x * v.z, v.y * v.z};
}

// B a Bᵀ.
Sym3d map(const Mat3d& b, const Sym3d& a) {
    return Sym3d::from(b * a.matrix() * transpose(b));
}

// f of the eigenvalues. Those of a flat solid may be zero, or negative by rounding.
template <class Function>
Sym3d of_eigenvalues(const Sym3d& a, Function f) {
    const PrincipalInertia p = principal_inertia(a);
    const Vec3d values{f(p.moments.x), f(p.moments.y), f(p.moments.z)};
    return rotate(p.axes, Sym3d::diagonal(values));
}

Mat3d transport_map(const Sym3d& from, const Sym3d& to) {
    const double floor = from.trace() * 1e-30;
    const auto root = [](double x) { return std::sqrt(std::max(x, 0.0)); };
    const Sym3d from_root = of_eigenvalues(from, root);
    const Sym3d inverse_root =
        of_eigenvalues(from, [&](double x) { return 1 / std::sqrt(std::max(x, floor)); });
    const Sym3d middle = of_eigenvalues(map(from_root.matrix(), to), root);
    return map(inverse_root.matrix(), middle).matrix();
}

} // namespace

// Tetrahedra from a point inside to the triangles of the faces. Of one with corners o, a, b, c the
// integral of x xᵀ about o is its volume times ((a + b + c)(a + b + c)ᵀ + aaᵀ + bbᵀ + ccᵀ) / 20.
MassProperties polyhedron_mass(std::span<const Vec3d> vertices,
                               std::span<const std::vector<int>> faces, double density) {
    Vec3d inside;
    for (const Vec3d& p : vertices) inside += p / static_cast<double>(vertices.size());
    const auto corner = [&](int i) { return vertices[static_cast<std::size_t>(i)] - inside; };
    double volume = 0;
    Vec3d first;
    Sym3d second;
    for (const std::vector<int>& face : faces) {
        for (std::size_t i = 2; i < face.size(); ++i) {
            const Vec3d a = corner(face[0]), b = corner(face[i - 1]), c = corner(face[i]);
            const double part = dot(a, cross(b, c)) / 6;
            volume += part;
            first += (a + b + c) * (part / 4);
            second = second + (square(a + b + c) + square(a) + square(b) + square(c)) * (part / 20);
        }
    }
    if (volume == 0) return {};
    const double side = volume < 0 ? -1 : 1; // from which the faces are seen
    const Vec3d center = first / volume;
    MassProperties mass;
    mass.mass = density * volume * side;
    mass.center = inside + center;
    mass.inertia = inertia_of((second - square(center) * volume) * (density * side));
    return mass;
}

MassProperties combined(std::span<const MassProperties> parts) {
    MassProperties whole;
    for (const MassProperties& part : parts) {
        whole.mass += part.mass;
        whole.center += part.center * part.mass;
    }
    whole.center = whole.center / whole.mass;
    Sym3d second;
    for (const MassProperties& part : parts)
        second =
            second + second_moments(part.inertia) + square(part.center - whole.center) * part.mass;
    whole.inertia = inertia_of(second);
    return whole;
}

std::vector<MassProperties> fit_masses(std::span<const MassProperties> pieces,
                                       const MassProperties& whole) {
    const MassProperties together = combined(pieces);
    const Sym3d wanted = second_moments(whole.inertia);
    const double scale = whole.mass / together.mass;
    const Mat3d a = transport_map(second_moments(together.inertia) * scale, wanted);
    std::vector<MassProperties> fitted(pieces.begin(), pieces.end());
    for (MassProperties& piece : fitted) {
        piece.inertia = inertia_of(map(a, second_moments(piece.inertia) * scale));
        piece.center = whole.center + a * (piece.center - together.center);
        piece.mass *= scale;
    }
    // What rounding left is spread over the pieces by their mass; the mass itself is put right in
    // the largest piece.
    const auto largest = std::max_element(
        fitted.begin(), fitted.end(),
        [](const MassProperties& p, const MassProperties& q) { return p.mass < q.mass; });
    largest->mass += whole.mass - combined(fitted).mass;
    const Vec3d shift = whole.center - combined(fitted).center;
    for (MassProperties& piece : fitted) piece.center += shift;
    const Sym3d rest = whole.inertia - combined(fitted).inertia;
    for (MassProperties& piece : fitted)
        piece.inertia = piece.inertia + rest * (piece.mass / whole.mass);
    return fitted;
}

} // namespace rigor
