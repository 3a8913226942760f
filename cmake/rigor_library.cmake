# rigor_library(NAME MODULES folders... PUBLIC targets... PRIVATE third-party targets...)
#
# One component that users link, rigor::<name>: a library librigor_<name>, made of the object files
# of these folders of src/. Static, or shared with BUILD_SHARED_LIBS. Its users see include/ alone.
#
# Our own programs and tests link the folders themselves (rigor_module) instead: they use private
# headers, whose functions a shared library does not export.

# Nothing refers to the solvers of linear programs and of Voronoi cells by name, so the linker is told
# to take them: out of an archive by a symbol. A shared library needs more, since a linker that leaves
# out unused libraries (--as-needed, the default of many compilers) does not count that as a use.
set(RIGOR_LINK_CLP "LINKER:-u,rigor_clp_is_linked")
set(RIGOR_LINK_VORO "LINKER:-u,rigor_voro_is_linked")
set(RIGOR_LINK_UNUSED "")
if(BUILD_SHARED_LIBS)
    set(RIGOR_LINK_UNUSED "LINKER:--no-as-needed")
endif()

function(rigor_library name)
    cmake_parse_arguments(arg "" "" "MODULES;PUBLIC;PRIVATE" ${ARGN})
    set(objects "")
    foreach(module ${arg_MODULES})
        get_target_property(type rigor_${module} TYPE)
        if(NOT type STREQUAL INTERFACE_LIBRARY)
            list(APPEND objects $<TARGET_OBJECTS:rigor_${module}>)
        endif()
    endforeach()
    set(target rigor_library_${name})
    add_library(${target} ${objects})
    add_library(rigor::${name} ALIAS ${target})
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME rigor_${name} EXPORT_NAME ${name} LINKER_LANGUAGE CXX
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
        INSTALL_RPATH "$ORIGIN")
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_include_directories(${target} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${target} PUBLIC ${arg_PUBLIC}
                          PRIVATE $<BUILD_INTERFACE:rigor_flags> ${arg_PRIVATE})
    set_property(GLOBAL APPEND PROPERTY RIGOR_COMPONENTS ${name})
endfunction()
