// Result, Error and UsageError: errors by where the mistake can be.
//
// In data (a file, a definition): the call returns a Result and nothing has changed.
// In the caller's program (a stale id, a call from inside step): it throws UsageError.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "rigor/export.h"

namespace rigor {

enum class ErrorCode {
    invalid_value, // a number, shape or name that breaks a rule
    syntax,        // text that does not follow its format
    not_found,     // a file, a body or a name that is not there
    io,            // a file that cannot be read or written
    limit,         // too large, too deep, too many
    unsupported,   // well formed, but not something Rigor can do
};

/// What went wrong with a piece of data: `where` names the place (a file and line, a path
/// inside a scene, a field), `message` the rule and the value found, as one sentence.
struct Error {
    ErrorCode code = ErrorCode::invalid_value;
    std::string where;
    std::string message;
};

/// "where: message", or the message alone when there is no place to name.
inline std::string to_string(const Error& error) {
    return error.where.empty() ? error.message : error.where + ": " + error.message;
}

/// A mistake in the calling program, not in its data.
class RIGOR_API UsageError : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

/// A value, or the Error that explains why there is none.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return content_.index() == 0; }
    explicit operator bool() const { return ok(); }

    /// The value; throws UsageError with the error's text when there is none.
    T& value() & { return require(), *std::get_if<0>(&content_); }
    const T& value() const& { return require(), *std::get_if<0>(&content_); }
    T value() && { return require(), std::move(*std::get_if<0>(&content_)); }

    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    /// The error; throws UsageError when there is none.
    const Error& error() const {
        if (ok()) throw UsageError("error() of a Result that holds a value");
        return *std::get_if<1>(&content_);
    }

  private:
    void require() const {
        if (!ok()) throw UsageError(to_string(*std::get_if<1>(&content_)));
    }

    std::variant<T, Error> content_;
};

/// Success, or the Error that explains the failure.
template <>
class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Error error) : error_(std::move(error)), ok_(false) {}

    bool ok() const { return ok_; }
    explicit operator bool() const { return ok(); }

    /// Throws UsageError with the error's text when there is one.
    void value() const {
        if (!ok()) throw UsageError(to_string(error_));
    }

    /// The error; throws UsageError when there is none.
    const Error& error() const {
        if (ok()) throw UsageError("error() of a Result that holds no error");
        return error_;
    }

  private:
    Error error_;
    bool ok_ = true;
};

} // namespace rigor
