# What `cmake --install` leaves behind: headers, libraries, and the two ways for another project to
# find them: find_package(rigor COMPONENTS ...) and pkg-config. None of it names the prefix, so an
# installed tree may be moved.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/rigor)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/rigor DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# An export set for each component: a program that uses the core is not asked for the others'
# dependencies.
get_property(RIGOR_COMPONENTS GLOBAL PROPERTY RIGOR_COMPONENTS)
foreach(component ${RIGOR_COMPONENTS})
    install(TARGETS rigor_library_${component} EXPORT rigor_${component})
    install(EXPORT rigor_${component} NAMESPACE rigor:: FILE rigor_${component}.cmake
            DESTINATION ${package_folder})
endforeach()
# The names in lower case serve find_package(rigor) and find_package(Rigor) alike.
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/rigor-config.cmake.in
    ${PROJECT_BINARY_DIR}/rigor-config.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rigor-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rigor-config.cmake ${PROJECT_BINARY_DIR}/rigor-config-version.cmake
              ${CMAKE_CURRENT_LIST_DIR}/rigor_find_voro.cmake
        DESTINATION ${package_folder})

# pkg-config: rigor-core, and rigor for all components. An archive does not know what it needs, so
# its users' link line has that, too; a shared library does.
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH RIGOR_PC_TO_PREFIX /prefix/${pkgconfig_folder} /prefix)
string(REGEX REPLACE "/$" "" RIGOR_PC_TO_PREFIX "${RIGOR_PC_TO_PREFIX}")
set(requires "rigor-core = ${PROJECT_VERSION}")
set(others "")
set(solvers "")
set(RIGOR_PC_LIBS "")
if(RIGOR_WITH_SCENE)
    list(APPEND others assimp)
    string(APPEND RIGOR_PC_LIBS " -lrigor_scene")
endif()
if(RIGOR_WITH_CLP)
    list(APPEND others clp)
    string(APPEND solvers " -Wl,-u,rigor_clp_is_linked -lrigor_clp")
endif()
if(RIGOR_WITH_VORO)
    string(APPEND solvers " -Wl,-u,rigor_voro_is_linked -lrigor_voro")
    if(NOT BUILD_SHARED_LIBS)
        string(APPEND solvers " -lvoro++")
    endif()
endif()
if(solvers AND BUILD_SHARED_LIBS) # as RIGOR_LINK_UNUSED
    set(solvers " -Wl,--push-state,--no-as-needed${solvers} -Wl,--pop-state")
endif()
string(APPEND RIGOR_PC_LIBS "${solvers}")
list(JOIN others ", " others)
if(BUILD_SHARED_LIBS)
    set(RIGOR_PC_CORE "Requires.private: qhull_r\nLibs.private: -pthread\nLibs: -L\${libdir} -lrigor_core")
    set(RIGOR_PC_ALL "Requires: ${requires}\nRequires.private: ${others}")
else()
    set(RIGOR_PC_CORE "Requires: qhull_r\nLibs: -L\${libdir} -lrigor_core -pthread")
    set(RIGOR_PC_ALL "Requires: ${requires}, ${others}")
endif()
foreach(file rigor rigor-core)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/${file}.pc.in ${PROJECT_BINARY_DIR}/${file}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${file}.pc DESTINATION ${pkgconfig_folder})
endforeach()
