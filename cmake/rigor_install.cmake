# What `cmake --install` leaves behind: headers, libraries, the rigor program, and the two ways
# for another project to find them: find_package(rigor) and pkg-config.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/rigor DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT rigor NAMESPACE rigor:: FILE rigorTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rigor)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/rigorConfig.cmake.in
    ${PROJECT_BINARY_DIR}/rigorConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rigor)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rigorConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rigorConfig.cmake ${PROJECT_BINARY_DIR}/rigorConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rigor)

# A linker wants users before what they use: the layers from the top down.
get_property(RIGOR_ARCHIVES GLOBAL PROPERTY RIGOR_ARCHIVES)
list(REVERSE RIGOR_ARCHIVES)
list(JOIN RIGOR_ARCHIVES " " RIGOR_ARCHIVES)
configure_file(${CMAKE_CURRENT_LIST_DIR}/rigor.pc.in ${PROJECT_BINARY_DIR}/rigor.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/rigor.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
