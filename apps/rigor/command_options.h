// Options of a command with values: numbers, file names, names. Each says what it needs when its
// value is missing or is something else.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

#include "command_line.h"

namespace rigor::app {

/// The whole text as a number. Real numbers include nan and inf, which the commands refuse.
template <class T>
bool parse_number(const std::string& text, T& value) {
    if constexpr (std::is_floating_point_v<T>) {
        char* end = nullptr;
        value = std::strtod(text.c_str(), &end);
        return !text.empty() && std::isspace(static_cast<unsigned char>(text[0])) == 0 &&
               *end == '\0';
    } else {
        const char* end = text.data() + text.size();
        const auto parsed = std::from_chars(text.data(), end, value);
        return parsed.ec == std::errc() && parsed.ptr == end;
    }
}

/// A number as it is, anything else in quotes.
inline std::string value_text(const std::string& text) {
    double number = 0;
    return parse_number(text, number) ? text : "\"" + text + "\"";
}

class CommandOptions {
  public:
    CommandOptions(CLI::App* command, CommandLine& line) : command_(command), needs_(line.needs) {}

    /// `rule` is what the value must be, "a whole number from 0 to 65535"; `T` is the type of the
    /// number, and `Target` may be an optional of it.
    template <class T, class Target>
    CLI::Option* number(const std::string& flag, Target& target, const std::string& rule,
                        const std::string& example, const std::string& help) {
        const auto set = [&target, rule, flag](const std::string& text) {
            target = checked<T>(flag, text, rule);
        };
        return described(command_->add_option_function<std::string>(flag, set, help), type_of<T>(),
                         rule + ", e.g. " + flag + " " + example);
    }

    /// Several numbers, divided by commas.
    template <class T>
    CLI::Option* numbers(const std::string& flag, std::vector<T>& target, const std::string& rule,
                         const std::string& example, const std::string& help) {
        const auto set = [&target, rule, flag](const std::vector<std::string>& lists) {
            target.clear();
            for (const std::string& text : divided(lists))
                target.push_back(checked<T>(flag, text, rule));
        };
        return described(list_option(flag, set, help), type_of<T>() + ",...",
                         rule + ", e.g. " + flag + " " + example);
    }

    /// A name or a file; an empty one is refused. `type` stands for it in the help.
    CLI::Option* text(const std::string& flag, std::string& target, const std::string& type,
                      const std::string& need, const std::string& help) {
        const auto set = [&target, flag, need](const std::string& value) {
            if (value.empty()) throw CLI::ValidationError(flag + " needs " + need + ", got \"\"");
            target = value;
        };
        return described(command_->add_option_function<std::string>(flag, set, help), type, need);
    }

    /// Several names, divided by commas.
    CLI::Option* texts(const std::string& flag, std::vector<std::string>& target,
                       const std::string& type, const std::string& need, const std::string& help) {
        const auto set = [&target](const std::vector<std::string>& lists) {
            target = divided(lists);
        };
        return described(list_option(flag, set, help), type, need);
    }

    CLI::Option* described(CLI::Option* option, const std::string& type, const std::string& need) {
        needs_[option] = need;
        return option->type_name(type);
    }

    CLI::App* operator->() const { return command_; }

  private:
    using Texts = std::vector<std::string>;

    /// One word after the flag, which may be given several times. CLI11's own delimiter() counts
    /// each part of a list as an argument, and takes words after the list for more of it.
    CLI::Option* list_option(const std::string& flag, const std::function<void(const Texts&)>& set,
                             const std::string& help) {
        return command_->add_option_function<Texts>(flag, set, help)->allow_extra_args(false);
    }
    static Texts divided(const Texts& lists) {
        Texts parts;
        for (const std::string& list : lists)
            for (std::size_t begin = 0; begin <= list.size();) {
                const std::size_t end = std::min(list.find(',', begin), list.size());
                parts.push_back(list.substr(begin, end - begin));
                begin = end + 1;
            }
        return parts;
    }
    template <class T>
    static T checked(const std::string& flag, const std::string& text, const std::string& rule) {
        T value{};
        if (!parse_number(text, value))
            throw CLI::ValidationError(flag + " must be " + rule + ", got " + value_text(text));
        return value;
    }
    template <class T>
    static std::string type_of() {
        return std::is_floating_point_v<T> ? "NUMBER" : "INTEGER";
    }

    CLI::App* command_;
    OptionNeeds& needs_;
};

} // namespace rigor::app
