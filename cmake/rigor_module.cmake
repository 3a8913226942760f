# rigor_module(NAME folder DEPENDS modules... PRIVATE third-party targets... MERGED ALONE files...
#              PRECOMPILE headers... | PRECOMPILED_BY module)
#
# One folder of src/ becomes one target, rigor_<folder>, made of all its .cpp files. What it
# DEPENDS on is the layering: the link graph and the include graph are the same picture. Our own
# programs and tests link these targets; what users link is made of them (rigor_library). The files
# of a MERGED folder are compiled side by side, ALONE as in rigor_merge_sources; the folders of the
# inner loops are not, so that the compiler sees each as it was measured. PRECOMPILE names headers of
# ours that nearly all files of the folder come to include; without it they are those of a module
# below, of base unless PRECOMPILED_BY names another.

# The flags all our code is compiled with. No fused multiply-add anywhere: with contraction a
# scalar row and a lane row differ in the last bit, without it they agree.
add_library(rigor_flags INTERFACE)
target_compile_features(rigor_flags INTERFACE cxx_std_20)
target_compile_options(rigor_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
    -Wdouble-promotion -Wfloat-conversion $<$<BOOL:${RIGOR_WERROR}>:-Werror>
    -ffp-contract=off -fno-math-errno)
# Lanes are passed between functions of one file only, so how a compiler would pass them to another
# does not matter.
target_compile_options(rigor_flags INTERFACE -Wno-psabi)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # gcc 12 sees overlapping copies in "text" + std::string that are not there (its bug 105651).
    target_compile_options(rigor_flags INTERFACE -Wno-restrict)
    # By default the compiler collects garbage from 128 MB on, a sixteenth of its time.
    target_compile_options(rigor_flags INTERFACE
        --param=ggc-min-expand=100 --param=ggc-min-heapsize=500000)
endif()
if(RIGOR_SANITIZE)
    target_compile_options(rigor_flags INTERFACE -fsanitize=${RIGOR_SANITIZE}
        -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(rigor_flags INTERFACE -fsanitize=${RIGOR_SANITIZE})
    # gcc 12 takes instrumented variants and vectors for uninitialized ones.
    target_compile_options(rigor_flags INTERFACE
                           $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
if(RIGOR_COVERAGE)
    target_compile_options(rigor_flags INTERFACE --coverage -fprofile-update=atomic)
    target_link_options(rigor_flags INTERFACE --coverage)
endif()

# What most files of src/ come to include.
set(kStandardHeaders <algorithm> <array> <cmath> <cstdint> <functional> <limits> <memory> <optional>
    <span> <string> <string_view> <utility> <variant> <vector>)

function(rigor_module name)
    cmake_parse_arguments(arg "MERGED" "PRECOMPILED_BY" "DEPENDS;PRIVATE;ALONE;PRECOMPILE" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS *.cpp */*.cpp)
    set(target rigor_${name})
    if(sources)
        add_library(${target} STATIC ${sources})
        set(scope PUBLIC)
        target_link_libraries(${target} PRIVATE rigor_flags ${arg_PRIVATE})
        set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
            # Not the name of a library that is installed (rigor_scene, rigor_clp).
            ARCHIVE_OUTPUT_NAME rigor_module_${name})
        if(name STREQUAL base OR arg_PRECOMPILE)
            list(TRANSFORM arg_PRECOMPILE PREPEND ${PROJECT_SOURCE_DIR}/src/)
            rigor_precompile(${target} HEADERS ${kStandardHeaders} ${arg_PRECOMPILE})
        elseif(arg_PRECOMPILED_BY)
            rigor_precompile(${target} FROM rigor_${arg_PRECOMPILED_BY})
        else()
            rigor_precompile(${target} FROM rigor_base)
        endif()
        if(arg_MERGED)
            rigor_merge_sources(${target} ALONE ${arg_ALONE})
        endif()
        if(BUILD_SHARED_LIBS)
            set_target_properties(${target} PROPERTIES
                CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
        endif()
        if(NOT PROJECT_IS_TOP_LEVEL)
            set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
        endif()
    else()
        add_library(${target} INTERFACE)
        set(scope INTERFACE)
    endif()
    target_compile_features(${target} ${scope} cxx_std_20)
    target_include_directories(${target} ${scope}
        ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    list(TRANSFORM arg_DEPENDS PREPEND rigor_)
    target_link_libraries(${target} ${scope} ${arg_DEPENDS})
endfunction()
