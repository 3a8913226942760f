# rigor_module(NAME folder DEPENDS modules... PRIVATE third-party targets...)
#
# One folder of src/ becomes one target, rigor_<folder>, made of all its .cpp files. What it
# DEPENDS on is the layering: the link graph and the include graph are the same picture.

# The flags all our code is compiled with. No fused multiply-add anywhere: with contraction a
# scalar row and a lane row differ in the last bit, without it they agree.
add_library(rigor_flags INTERFACE)
target_compile_features(rigor_flags INTERFACE cxx_std_20)
target_compile_options(rigor_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
    -Wdouble-promotion -Wfloat-conversion -Werror
    -ffp-contract=off -fno-math-errno)
# Lanes are passed between functions of one file only, so how a compiler would pass them to another
# does not matter.
target_compile_options(rigor_flags INTERFACE -Wno-psabi)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # gcc 12 sees overlapping copies in "text" + std::string that are not there (its bug 105651).
    target_compile_options(rigor_flags INTERFACE -Wno-restrict)
endif()
if(RIGOR_SANITIZE)
    target_compile_options(rigor_flags INTERFACE -fsanitize=${RIGOR_SANITIZE}
        -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(rigor_flags INTERFACE -fsanitize=${RIGOR_SANITIZE})
endif()
if(RIGOR_COVERAGE)
    target_compile_options(rigor_flags INTERFACE --coverage -fprofile-update=atomic)
    target_link_options(rigor_flags INTERFACE --coverage)
endif()

function(rigor_module name)
    cmake_parse_arguments(arg "" "" "DEPENDS;PRIVATE" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS *.cpp */*.cpp)
    set(target rigor_${name})
    if(sources)
        add_library(${target} STATIC ${sources})
        set(scope PUBLIC)
        target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:rigor_flags> ${arg_PRIVATE})
        set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
        set_property(GLOBAL APPEND PROPERTY RIGOR_ARCHIVES -l${target}) # for rigor.pc
    else()
        add_library(${target} INTERFACE)
        set(scope INTERFACE)
    endif()
    target_compile_features(${target} ${scope} cxx_std_20)
    target_include_directories(${target} ${scope}
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    list(TRANSFORM arg_DEPENDS PREPEND rigor_)
    target_link_libraries(${target} ${scope} ${arg_DEPENDS})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    add_library(rigor::${name} ALIAS ${target})
    install(TARGETS ${target} EXPORT rigor ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()
