#include "base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace rigor {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kMode = 0666; // less what umask takes

std::string folder_of(const std::string& path) {
    const fs::path folder = fs::path(path).parent_path();
    return folder.empty() ? "." : folder.string();
}

/// An unused name in the folder of `path`.
std::string temporary_name(const std::string& path) {
    static std::atomic<unsigned> counter{0};
    return path + "." + std::to_string(getpid()) + "." + std::to_string(counter++) + ".tmp";
}

/// Where symbolic links lead to, so that the file is replaced and not the link.
std::string followed(const std::string& path) {
    std::error_code failed;
    const fs::path target = fs::weakly_canonical(path, failed);
    return failed ? path : target.string();
}

/// A file without a name, which the system removes should the process die.
int open_unnamed([[maybe_unused]] const std::string& path) {
#ifdef O_TMPFILE
    return open(folder_of(path).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kMode);
#else
    return -1;
#endif
}

/// Gives a file without a name one.
bool link_unnamed([[maybe_unused]] int descriptor, [[maybe_unused]] const std::string& name) {
#ifdef O_TMPFILE
    const std::string self = "/proc/self/fd/" + std::to_string(descriptor);
    return linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
#else
    return false;
#endif
}

} // namespace

OutputFile::OutputFile(OutputFile&& other) noexcept {
    *this = std::move(other);
}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(path_, other.path_);
    std::swap(target_, other.target_);
    std::swap(temporary_, other.temporary_);
    std::swap(is_direct_, other.is_direct_);
    return *this;
}

OutputFile::~OutputFile() {
    discard();
}

Error OutputFile::failure(const std::string& what) const {
    return {ErrorCode::io, path_, what + ": " + std::generic_category().message(errno)};
}

Result<OutputFile> OutputFile::create(const std::string& path) {
    OutputFile file;
    file.path_ = path;
    file.target_ = followed(path);
    struct stat status {};
    const bool exists = stat(file.target_.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode))
        return Error{ErrorCode::io, path, "cannot be written: it is a folder"};
    file.is_direct_ = exists && !S_ISREG(status.st_mode);
    if (file.is_direct_) {
        file.descriptor_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    } else {
        if (exists && access(file.target_.c_str(), W_OK) != 0)
            return file.failure("cannot be written");
        file.descriptor_ = open_unnamed(file.target_);
        if (file.descriptor_ < 0) {
            file.temporary_ = temporary_name(file.target_);
            file.descriptor_ =
                open(file.temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
            if (file.descriptor_ < 0) file.temporary_.clear();
        }
        if (file.descriptor_ >= 0 && exists) // an older file keeps its permissions
            static_cast<void>(fchmod(file.descriptor_, status.st_mode & 07777));
    }
    if (file.descriptor_ < 0) return file.failure("cannot be written");
    return file;
}

Result<void> OutputFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return failure("cannot be written");
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
}

Result<void> OutputFile::commit() {
    if (!is_direct_) {
        // On disk before it replaces anything: after a power cut there is the old file or the new.
        if (fsync(descriptor_) != 0) return failure("cannot be written");
        if (temporary_.empty()) {
            const std::string name = temporary_name(target_);
            if (!link_unnamed(descriptor_, name)) return failure("cannot be written");
            temporary_ = name;
        }
        if (std::rename(temporary_.c_str(), target_.c_str()) != 0)
            return failure("cannot be written");
        temporary_.clear();
    }
    const int descriptor = std::exchange(descriptor_, -1);
    if (close(descriptor) != 0) return failure("cannot be written");
    return {};
}

void OutputFile::discard() {
    if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
    if (!temporary_.empty()) unlink(temporary_.c_str());
}

Result<void> write_file(const std::string& path, std::string_view bytes) {
    Result<OutputFile> file = OutputFile::create(path);
    if (!file) return file.error();
    if (const auto written = file->write(bytes); !written) return written;
    return file->commit();
}

} // namespace rigor
