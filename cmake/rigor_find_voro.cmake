# Voro::voro, the library voro++, which comes without files for CMake or pkg-config. Sets VORO_FOUND.
# Installed beside the package files, since users of the archives link it as well.
find_path(VORO_INCLUDE_DIR voro++/voro++.hh)
find_library(VORO_LIBRARY voro++)
mark_as_advanced(VORO_INCLUDE_DIR VORO_LIBRARY)
set(VORO_FOUND FALSE)
if(VORO_INCLUDE_DIR AND VORO_LIBRARY)
    set(VORO_FOUND TRUE)
    if(NOT TARGET Voro::voro)
        add_library(Voro::voro UNKNOWN IMPORTED GLOBAL)
        set_target_properties(Voro::voro PROPERTIES IMPORTED_LOCATION ${VORO_LIBRARY}
            INTERFACE_INCLUDE_DIRECTORIES ${VORO_INCLUDE_DIR})
    endif()
endif()
