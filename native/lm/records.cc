#include "lm/records.hh"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/error.hh"

namespace miriam::lm {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 15;    // numbers read at a time
constexpr std::size_t kWritten = std::size_t{1} << 20;  // bytes written at a time

[[noreturn]] void fail(const std::string& what) {
  throw Error(what + ": " + std::system_category().message(errno));
}

}  // namespace

TemporaryFile::TemporaryFile(const std::string& folder) {
  std::string name = folder + "/.miriam-lm-XXXXXX";
  descriptor_ = mkstemp(name.data());
  if (descriptor_ < 0) fail(folder + ": cannot make a temporary file");
  unlink(name.c_str());
}

TemporaryFile::~TemporaryFile() { close(descriptor_); }

void TemporaryFile::append(const std::uint32_t* data, std::size_t count) {
  const char* at = reinterpret_cast<const char*>(data);
  for (std::size_t left = count * sizeof *data; left > 0;) {
    const ssize_t written = ::write(descriptor_, at, std::min(left, kWritten));
    if (written < 0 && errno != EINTR) fail("cannot write a temporary file");
    if (written <= 0) continue;
    at += written;
    left -= static_cast<std::size_t>(written);
  }
  size_ += count;
}

void TemporaryFile::read(std::uint64_t at, std::uint32_t* data, std::size_t count) const {
  char* to = reinterpret_cast<char*>(data);
  auto offset = static_cast<off_t>(at * sizeof *data);
  for (std::size_t left = count * sizeof *data; left > 0;) {
    const ssize_t got = pread(descriptor_, to, left, offset);
    if (got == 0) throw Error("a temporary file was cut short while it was in use");
    if (got < 0 && errno != EINTR) fail("cannot read a temporary file");
    if (got < 0) continue;
    to += got;
    offset += got;
    left -= static_cast<std::size_t>(got);
  }
}

void Buffer::append(const std::uint32_t* data, std::size_t count) {
  if (size_ + count > capacity_) {
    const std::size_t wanted = std::max(size_ + count, std::max<std::size_t>(1024, 2 * capacity_));
    void* moved = std::realloc(data_.get(), wanted * sizeof *data);
    if (!moved) throw std::bad_alloc();
    (void)data_.release();
    data_.reset(static_cast<std::uint32_t*>(moved));
    capacity_ = wanted;
  }
  std::memcpy(data_.get() + size_, data, count * sizeof *data);
  size_ += count;
}

Reader::Reader(std::size_t width, const TemporaryFile* file, std::uint64_t begin, std::uint64_t end,
               const Buffer* rest)
    : width_(width), file_(file), position_(begin), file_end_(end), rest_(rest) {
  refill();
}

void Reader::refill() {
  if (position_ < file_end_) {
    block_.resize(std::min<std::uint64_t>(kBlock / width_ * width_, file_end_ - position_));
    file_->read(position_, block_.data(), block_.size());
    position_ += block_.size();
    at_ = block_.data();
    end_ = at_ + block_.size();
  } else if (rest_) {
    at_ = rest_->data();
    end_ = at_ + rest_->size();
    rest_ = nullptr;
  }
}

void Sequence::push(const std::uint32_t* record) {
  buffer_.append(record, width_);
  if (buffer_.size() < limit_) return;
  if (!file_) file_ = std::make_unique<TemporaryFile>(workspace_->folder);
  file_->append(buffer_.data(), buffer_.size());
  buffer_.free();
  limit_ = std::min<std::uint64_t>(limit_, kBlock);  // the rest goes to the file bit by bit
}

MergeReader::MergeReader(std::size_t width, std::vector<Reader>&& runs)
    : width_(width), runs_(std::move(runs)) {
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (runs_[i].peek()) heap_.push_back(i);
  }
  std::make_heap(heap_.begin(), heap_.end(),
                 [this](std::size_t a, std::size_t b) { return later(a, b); });
}

bool MergeReader::later(std::size_t a, std::size_t b) const {
  const std::uint32_t* x = runs_[a].peek();
  const std::uint32_t* y = runs_[b].peek();
  return std::lexicographical_compare(y, y + width_, x, x + width_);
}

void MergeReader::next() {
  Reader& first = runs_[heap_[0]];
  first.next();
  if (!first.peek()) {
    heap_[0] = heap_.back();
    heap_.pop_back();
  }
  if (heap_.size() > 1) sink();
}

// Puts the run in front where it belongs.
void MergeReader::sink() {
  for (std::size_t i = 0;;) {
    std::size_t least = 2 * i + 1;
    if (least >= heap_.size()) return;
    if (least + 1 < heap_.size() && later(heap_[least], heap_[least + 1])) ++least;
    if (!later(heap_[i], heap_[least])) return;
    std::swap(heap_[i], heap_[least]);
    i = least;
  }
}

void Sorter::spill() {
  sort_records(buffer_.data(), buffer_.size() / width_, width_, workspace_->threads);
  if (!file_) file_ = std::make_unique<TemporaryFile>(workspace_->folder);
  file_->append(buffer_.data(), buffer_.size());
  run_ends_.push_back(file_->size());
  buffer_.clear();
}

void Sorter::finish() {
  if (file_) {
    if (buffer_.size() > 0) spill();
    buffer_.free();
  } else {
    sort_records(buffer_.data(), buffer_.size() / width_, width_, workspace_->threads);
  }
}

MergeReader Sorter::reader() const {
  std::vector<Reader> runs;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : run_ends_) {
    runs.emplace_back(width_, file_.get(), begin, end, nullptr);
    begin = end;
  }
  if (buffer_.size() > 0) runs.emplace_back(width_, nullptr, 0, 0, &buffer_);
  return {width_, std::move(runs)};
}

}  // namespace miriam::lm
