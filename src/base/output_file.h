// A file that is written whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "rigor/export.h"
#include "rigor/result.h"

namespace rigor {

/// Everything is written to a file without a name, or with a temporary one, in the folder of
/// `path`; commit() gives it its name, in place of an older file. Until then, and when the process
/// dies or the disk is full, the older file stays as it is. What is no regular file (a device, a
/// pipe) is written to directly.
class OutputFile {
  public:
    OutputFile() = default;
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&& other) noexcept;
    ~OutputFile(); ///< without commit() nothing was written

    static Result<OutputFile> create(const std::string& path);

    Result<void> write(std::string_view bytes);
    Result<void> commit();
    bool is_open() const { return descriptor_ >= 0; }

  private:
    void discard();
    Error failure(const std::string& what) const; ///< with the reason that the system gives

    int descriptor_ = -1;
    std::string path_;      // as the caller wrote it, for messages
    std::string target_;    // where symbolic links lead to
    std::string temporary_; // empty: the file has no name yet
    bool is_direct_ = false;
};

/// A whole file at once.
RIGOR_API Result<void> write_file(const std::string& path, std::string_view bytes);

} // namespace rigor
