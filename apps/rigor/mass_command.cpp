// rigor mass: mass properties of a mesh file.

#include <iostream>

#include "command.h"
#include "output.h"
#include "rigor/mesh.h"
#include "rigor/mesh_file.h"

namespace rigor::app {
namespace {

std::string row_text(const Vec3d& v) {
    return short_text(v.x, 10) + "  " + short_text(v.y, 10) + "  " + short_text(v.z, 10);
}

Json to_json(const MeshMass& mass, const PrincipalInertia& principal) {
    const Mat3d axes = transpose(principal.axes); // one axis a row
    return {{"volume", mass.volume},
            {"area", mass.area},
            {"mass", mass.properties.mass},
            {"center_of_mass", app::to_json(mass.properties.center)},
            {"inertia", app::to_json(mass.properties.inertia.matrix())},
            {"principal_moments", app::to_json(principal.moments)},
            {"principal_axes", app::to_json(axes)},
            {"closed", mass.closed},
            {"warnings", mass.warnings}};
}

void print(const MassOptions& options, const MeshMass& mass, const PrincipalInertia& principal) {
    const Mat3d inertia = mass.properties.inertia.matrix();
    std::cout << options.file << (options.hollow ? ", hollow" : ", solid")
              << (mass.closed ? ", closed\n" : ", not closed\n") << "  volume          "
              << short_text(mass.volume, 10) << "\n"
              << "  area            " << short_text(mass.area, 10) << "\n"
              << "  mass            " << short_text(mass.properties.mass, 10) << "\n"
              << "  center of mass  " << row_text(mass.properties.center) << "\n"
              << "  inertia         " << row_text(inertia.row(0)) << "\n"
              << "                  " << row_text(inertia.row(1)) << "\n"
              << "                  " << row_text(inertia.row(2)) << "\n"
              << "  principal       " << row_text(principal.moments) << "\n"
              << "  axes            " << row_text(principal.axes.cx) << "\n"
              << "                  " << row_text(principal.axes.cy) << "\n"
              << "                  " << row_text(principal.axes.cz) << "\n";
}

} // namespace

int mass_command(const MassOptions& options) {
    if (options.density && options.mass) {
        return fail({ErrorCode::invalid_value, "", "--density and --mass exclude each other"});
    }
    const auto writable = check_outputs({{"--json", options.json}}, {options.file});
    if (!writable) return fail(writable.error());
    const Result<TriangleSoup> soup = load_mesh(options.file);
    if (!soup) return fail(soup.error());
    const Result<MeshMass> mass =
        mesh_mass(*soup, {options.density.value_or(1000), options.mass, options.hollow});
    if (!mass) return fail({mass.error().code, options.file, mass.error().message});

    const PrincipalInertia principal = principal_inertia(mass->properties.inertia);
    if (!options.json.empty()) {
        const auto written = write_json(options.json, to_json(*mass, principal));
        if (!written) return fail(written.error());
    }
    if (options.json != "-") print(options, *mass, principal);
    print_warnings(options.file, mass->warnings);
    return done;
}

} // namespace rigor::app
