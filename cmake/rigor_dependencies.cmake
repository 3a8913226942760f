# The libraries of others that the engine links, and which optional components that allows. What
# only a program, a test or a benchmark needs is looked for in its own folder.

# A project that adds Rigor as a subdirectory links these targets through ours, so it must see them.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)

find_package(Threads REQUIRED)
find_package(Qhull REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE) # headers only: nothing of it is linked

if(NOT DEFINED RIGOR_WITH_SCENE OR RIGOR_WITH_SCENE)
    find_package(assimp QUIET)
endif()
option(RIGOR_WITH_SCENE "Component scene: scene and mesh files (needs Assimp)" ${assimp_FOUND})

if(NOT DEFINED RIGOR_WITH_CLP OR RIGOR_WITH_CLP)
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
        pkg_check_modules(CLP QUIET IMPORTED_TARGET GLOBAL clp)
    endif()
endif()
option(RIGOR_WITH_CLP "Component clp: linear programs, for the resting rule lp" ${CLP_FOUND})

if(NOT DEFINED RIGOR_WITH_VORO OR RIGOR_WITH_VORO)
    include(rigor_find_voro)
endif()
option(RIGOR_WITH_VORO "Component voro: Voronoi cells, for bodies that break" ${VORO_FOUND})

if(RIGOR_WITH_SCENE AND NOT assimp_FOUND)
    message(FATAL_ERROR "RIGOR_WITH_SCENE needs Assimp (Debian: libassimp-dev)")
endif()
if(RIGOR_WITH_CLP AND NOT CLP_FOUND)
    message(FATAL_ERROR "RIGOR_WITH_CLP needs CLP and pkg-config (Debian: coinor-libclp-dev, pkg-config)")
endif()
if(RIGOR_WITH_VORO AND NOT VORO_FOUND)
    message(FATAL_ERROR "RIGOR_WITH_VORO needs voro++ (Debian: voro++-dev)")
endif()
if((RIGOR_BUILD_APPS OR RIGOR_BUILD_TESTS OR RIGOR_BUILD_BENCH) AND NOT RIGOR_WITH_SCENE)
    message(FATAL_ERROR "The apps, tests and benchmarks of Rigor need RIGOR_WITH_SCENE (Debian: libassimp-dev)")
endif()
if(RIGOR_BUILD_TESTS AND NOT RIGOR_WITH_CLP)
    message(FATAL_ERROR "The tests of Rigor need RIGOR_WITH_CLP (Debian: coinor-libclp-dev)")
endif()
if(RIGOR_BUILD_TESTS AND NOT RIGOR_WITH_VORO)
    message(FATAL_ERROR "The tests of Rigor need RIGOR_WITH_VORO (Debian: voro++-dev)")
endif()
