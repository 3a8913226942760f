# A build from nothing spends most of its time on headers, which every file reads again. So what the
# files of a folder share is compiled once: headers of the standard library, of shapes and of the
# inner loops in src/, those of GoogleTest and of worlds in tests/ (precompiled headers), and whole
# files of tests, programs and the outer folders of src/ side by side (unity builds). Results are the
# same to the bit; a file that is compiled alone gives the same object file with and without them.
#
# Off under a compiler cache, which does better with one file at a time and cannot look into
# precompiled headers; off inside another project, which may have other flags. There every file is
# seen to include what it uses.
set(quick_build_default OFF)
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(quick_build_default ON)
endif()
option(RIGOR_QUICK_BUILD "Precompiled headers and unity builds: half the time from nothing"
       ${quick_build_default})

# rigor_precompile(TARGET HEADERS headers... | FROM target)
function(rigor_precompile target)
    cmake_parse_arguments(arg "" "FROM" "HEADERS" ${ARGN})
    if(NOT RIGOR_QUICK_BUILD)
        return()
    elseif(arg_FROM)
        target_precompile_headers(${target} REUSE_FROM ${arg_FROM})
    else()
        target_precompile_headers(${target} PRIVATE ${arg_HEADERS})
    endif()
    # The standard library turns these off around code where they are wrong (bits/char_traits.h);
    # gcc 12 forgets that of a precompiled header. Other builds have them.
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow
                               -Wno-stringop-overread)
    endif()
    # A file with options of its own reads the headers as they are.
    set_target_properties(${target} PROPERTIES PCH_WARN_INVALID OFF)
endfunction()

# rigor_merge_sources(TARGET ALONE files...): compiles the files of a target side by side. The names in
# their unnamed namespaces then meet; a file whose names must not is left ALONE.
set(kMergedSources 24)
function(rigor_merge_sources target)
    cmake_parse_arguments(arg "" "" "ALONE" ${ARGN})
    if(RIGOR_QUICK_BUILD)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${kMergedSources})
        # Of classes in unnamed namespaces, which gcc then takes for those of a header.
        target_compile_options(${target} PRIVATE
                               $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
        set_source_files_properties(${arg_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
endfunction()
