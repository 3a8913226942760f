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

# rigor_require(FOUND SENTENCE USERS...): ends with the sentence when a user is on and FOUND is not.
function(rigor_require found sentence)
    foreach(user ${ARGN})
        if(${user} AND NOT ${found})
            message(FATAL_ERROR ${sentence})
        endif()
    endforeach()
endfunction()
rigor_require(assimp_FOUND "RIGOR_WITH_SCENE needs Assimp (Debian: libassimp-dev)" RIGOR_WITH_SCENE)
rigor_require(CLP_FOUND "RIGOR_WITH_CLP needs CLP and pkg-config (Debian: coinor-libclp-dev, pkg-config)"
              RIGOR_WITH_CLP)
rigor_require(VORO_FOUND "RIGOR_WITH_VORO needs voro++ (Debian: voro++-dev)" RIGOR_WITH_VORO)
rigor_require(RIGOR_WITH_SCENE
              "The apps, tests and benchmarks of Rigor need RIGOR_WITH_SCENE (Debian: libassimp-dev)"
              RIGOR_BUILD_APPS RIGOR_BUILD_TESTS RIGOR_BUILD_BENCH)
rigor_require(RIGOR_WITH_CLP "The tests of Rigor need RIGOR_WITH_CLP (Debian: coinor-libclp-dev)"
              RIGOR_BUILD_TESTS)
rigor_require(RIGOR_WITH_VORO "The tests of Rigor need RIGOR_WITH_VORO (Debian: voro++-dev)"
              RIGOR_BUILD_TESTS)
