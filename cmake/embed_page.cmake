# Writes ASSEMBLY: a table of the files of FOLDER, each with its name, content and size.
set(table "")
set(contents "")
set(number 0)
if(FOLDER)
    file(GLOB_RECURSE files RELATIVE ${FOLDER} ${FOLDER}/*)
    list(SORT files)
    foreach(name ${files})
        string(APPEND table "    .quad name_${number}, content_${number}, end_${number} - content_${number}\n")
        string(APPEND contents "name_${number}: .asciz \"${name}\"\n"
                               "content_${number}: .incbin \"${FOLDER}/${name}\"\nend_${number}:\n")
        math(EXPR number "${number} + 1")
    endforeach()
endif()
file(WRITE ${ASSEMBLY} "/* Written by cmake/embed_page.cmake. */
    .section .data.rel.ro, \"aw\"
    .balign 8
    .globl rigor_page_files
rigor_page_files:
${table}    .quad 0, 0, 0
    .section .rodata
${contents}    .section .note.GNU-stack, \"\", %progbits
")
