#include "features/feature_table.hh"

#include <mutex>

#include "base/error.hh"

namespace miriam::features {

std::size_t FeatureTable::size() const {
  const std::shared_lock lock(mutex_);
  return entry_of_.size();
}

FeatureId FeatureTable::intern(std::span<const std::uint32_t> items, std::uint32_t members) {
  const std::lock_guard lock(mutex_);
  const auto fresh = static_cast<std::uint32_t>(entries_.size());
  const std::uint32_t entry = entries_.intern(items);
  if (entry == fresh) {
    first_id_.push_back(static_cast<FeatureId>(entry_of_.size()));
    entry_of_.insert(entry_of_.end(), members, entry);
  }
  return first_id_[entry];
}

FeatureId FeatureTable::find(std::span<const std::uint32_t> items) const {
  const std::shared_lock lock(mutex_);
  const std::uint32_t entry = entries_.find(items);
  return entry == kNone ? -1 : first_id_[entry];
}

FeatureTable::Key FeatureTable::key(FeatureId id) const {
  const std::shared_lock lock(mutex_);
  if (id < 0 || static_cast<std::size_t>(id) >= entry_of_.size())
    throw InputError("no feature has the number " + std::to_string(id));
  const std::uint32_t entry = entry_of_[static_cast<std::size_t>(id)];
  const std::span<const std::uint32_t> items = entries_[entry];
  return {{items.begin(), items.end()}, static_cast<std::uint32_t>(id - first_id_[entry])};
}

void FeatureTable::set_copied(std::uint32_t family, std::uint32_t stride) {
  const std::lock_guard lock(mutex_);
  if (family >= strides_.size()) strides_.resize(family + 1);
  strides_[family] = stride;
}

std::uint32_t FeatureTable::stride(FeatureId id) const {
  const std::shared_lock lock(mutex_);
  if (id < 0 || static_cast<std::size_t>(id) >= entry_of_.size()) return 0;
  const std::uint32_t family = entries_[entry_of_[static_cast<std::size_t>(id)]][0];
  return family < strides_.size() ? strides_[family] : 0;
}

}  // namespace miriam::features
