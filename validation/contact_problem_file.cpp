#include "contact_problem_file.h"

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace rigor::validation {
namespace {

constexpr std::size_t kMostContacts = 100'000;

class Reader {
  public:
    explicit Reader(std::istream& in) : in_(in) {}

    /// False where the text does not follow the format.
    bool read() {
        std::size_t storage = 0, rows = 0, columns = 0;
        in_ >> dimension_ >> contacts_ >> storage >> rows >> columns;
        if (!in_ || (dimension_ != 2 && dimension_ != 3) || contacts_ > kMostContacts) return false;
        if (rows != dimension_ * contacts_ || columns != rows) return false;
        blocks_.resize(contacts_);
        const bool matrix = storage == 0   ? read_dense()
                            : storage == 1 ? read_blocks()
                            : storage == 2 ? read_printed()
                                           : false;
        return matrix && read_vectors();
    }

    FrictionProblem problem() && { return std::move(problem_); }

  private:
    // The index of a component of the file, where the normal comes first.
    int axis(std::size_t component) const {
        return component == 0 ? 2 : static_cast<int>(component) - 1;
    }

    bool put(std::size_t row, std::size_t column, double value) {
        if (row >= dimension_ * contacts_ || column >= dimension_ * contacts_) return false;
        Mat3d& block =
            blocks_[row / dimension_]
                .try_emplace(static_cast<std::uint32_t>(column / dimension_), Mat3d::zero())
                .first->second;
        block(axis(row % dimension_), axis(column % dimension_)) = value;
        return true;
    }

    bool read_dense() {
        std::size_t rows = 0, columns = 0;
        in_ >> rows >> columns;
        double value = 0;
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j)
                if (!(in_ >> value) || (value != 0 && !put(i, j, value))) return false;
        return true;
    }

    std::vector<std::size_t> read_list(std::size_t count) {
        std::vector<std::size_t> list(count);
        for (std::size_t& x : list)
            if (!(in_ >> x)) return {};
        return list;
    }

    bool read_blocks() {
        std::size_t count = 0, rows = 0, columns = 0, starts = 0, entries = 0, index = 0;
        in_ >> count >> rows >> columns;
        if (!in_ || rows != contacts_ || columns != contacts_) return false;
        read_list(rows + columns); // where the blocks begin: all have one size
        in_ >> starts >> entries;
        if (!in_ || starts != contacts_ + 1 || entries != count) return false;
        const std::vector<std::size_t> start = read_list(starts), column = read_list(entries);
        if (start.size() != starts || column.size() != entries) return false;
        for (std::size_t row = 0; row < contacts_; ++row)
            for (std::size_t k = start[row]; k < start[row + 1]; ++k) {
                if (k >= entries || !(in_ >> index)) return false;
                if (!read_block(row, column[k])) return false;
            }
        return true;
    }

    bool read_block(std::size_t row, std::size_t column) {
        double value = 0;
        for (std::size_t b = 0; b < dimension_; ++b)
            for (std::size_t a = 0; a < dimension_; ++a)
                if (!(in_ >> value) || !put(dimension_ * row + a, dimension_ * column + b, value))
                    return false;
        return true;
    }

    // What CSparse prints: "col 3 : locations 6 to 6", then "3 : 2502.48" for each entry.
    bool read_printed() {
        std::string line, word, colon;
        std::size_t column = 0, found = 0, row = 0, expected = 0;
        double value = 0;
        while (std::getline(in_, line)) {
            std::istringstream words(line);
            if (const std::size_t at = line.find("nnz:"); at != std::string::npos)
                expected = std::stoul(line.substr(at + 4));
            if (words >> word && word == "col") {
                words >> column;
                continue;
            }
            words = std::istringstream(line);
            if (expected == 0 || !(words >> row >> colon >> value) || colon != ":") continue;
            if (!put(row, column, value)) return false;
            if (++found == expected) return true;
        }
        return false;
    }

    bool read_vectors() {
        problem_.q.resize(contacts_);
        problem_.mu.resize(contacts_);
        for (Vec3d& q : problem_.q)
            for (std::size_t a = 0; a < dimension_; ++a) in_ >> q[axis(a)];
        for (double& mu : problem_.mu) in_ >> mu;
        if (!in_ && !in_.eof()) return false;
        std::vector<BlockEntry> row;
        for (std::size_t i = 0; i < contacts_; ++i) {
            Mat3d& diagonal =
                blocks_[i].try_emplace(static_cast<std::uint32_t>(i), Mat3d::zero()).first->second;
            if (dimension_ == 2) diagonal(1, 1) = diagonal(0, 0);
            row.clear();
            for (const auto& [column, block] : blocks_[i]) row.push_back({column, block});
            problem_.w.add_row(row);
        }
        return true;
    }

    std::istream& in_;
    std::size_t dimension_ = 0, contacts_ = 0;
    std::vector<std::map<std::uint32_t, Mat3d>> blocks_; // by rows
    FrictionProblem problem_;
};

} // namespace

Result<FrictionProblem> read_contact_problem(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) return Error{ErrorCode::io, file.string(), "the file cannot be read"};
    Reader reader(in);
    if (!reader.read())
        return Error{
            ErrorCode::syntax, file.string(),
            "a contact problem consists of dimension, contacts, storage, matrix, q and mu"};
    return std::move(reader).problem();
}

} // namespace rigor::validation
