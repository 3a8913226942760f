# rigor_page: the page of `rigor view`, built by npm and embedded by one assembler file. Without npm
# it is an empty list, and the program says so.
option(RIGOR_BUILD_PAGE "Build the page of rigor view with npm and embed it" ON)
enable_language(ASM)

set(page_folder ${PROJECT_SOURCE_DIR}/apps/web)
set(page_assembly ${PROJECT_BINARY_DIR}/page.S)
set(embed ${CMAKE_COMMAND} -DASSEMBLY=${page_assembly})
set(embed_script ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake)
find_program(RIGOR_NPM npm)

if(RIGOR_BUILD_PAGE AND RIGOR_NPM AND EXISTS ${page_folder}/package-lock.json)
    set(page_installed ${PROJECT_BINARY_DIR}/page.installed)
    add_custom_command(OUTPUT ${page_installed}
        COMMAND ${RIGOR_NPM} ci --no-audit --no-fund --loglevel=error
        COMMAND ${CMAKE_COMMAND} -E touch ${page_installed}
        DEPENDS ${page_folder}/package-lock.json
        WORKING_DIRECTORY ${page_folder}
        COMMENT "Installing what the page needs (-DRIGOR_BUILD_PAGE=OFF does without)"
        VERBATIM)
    file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS
         ${page_folder}/src/* ${page_folder}/public/* ${page_folder}/*.html ${page_folder}/*.ts)
    list(FILTER page_sources EXCLUDE REGEX "/(node_modules|dist|tests)/")
    add_custom_command(OUTPUT ${page_assembly}
        COMMAND ${RIGOR_NPM} run --silent build -- --outDir ${PROJECT_BINARY_DIR}/page --emptyOutDir
                --logLevel warn
        COMMAND ${embed} -DFOLDER=${PROJECT_BINARY_DIR}/page -P ${embed_script}
        DEPENDS ${page_installed} ${page_sources} ${page_folder}/package.json ${embed_script}
        WORKING_DIRECTORY ${page_folder}
        COMMENT "Building the page"
        VERBATIM)
else()
    add_custom_command(OUTPUT ${page_assembly}
        COMMAND ${embed} -P ${embed_script} DEPENDS ${embed_script} VERBATIM)
endif()
add_library(rigor_page STATIC ${page_assembly})
