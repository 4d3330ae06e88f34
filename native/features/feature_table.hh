// Features and their dense ids: a family (a template) and an integer key make one or more ids.
//
// Names are not kept: a family renders the key of an id when somebody wants to read it. Threads may
// look ids up while another makes new ones.
#pragma once

#include <cstdint>
#include <shared_mutex>
#include <span>
#include <vector>

#include "base/intern.hh"

namespace miriam::features {

using FeatureId = std::int32_t;

class FeatureTable {
 public:
  struct Key {
    std::vector<std::uint32_t> items;  // the family, then the key
    std::uint32_t member;              // which of the ids that the key has
  };

  std::size_t size() const;
  // The first of the `members` ids of a key, in a row; new ones if the key is new.
  FeatureId intern(std::span<const std::uint32_t> items, std::uint32_t members = 1);
  // The same, or -1 if the key is not known.
  FeatureId find(std::span<const std::uint32_t> items) const;
  Key key(FeatureId id) const;
  // Says that each id of a family has copies, `stride` ids apart from one to the next.
  void set_copied(std::uint32_t family, std::uint32_t stride);
  // How far apart an id's copies are; 0 if it has none.
  std::uint32_t stride(FeatureId id) const;

 private:
  mutable std::shared_mutex mutex_;
  SequenceTable entries_;
  std::vector<FeatureId> first_id_;      // of each entry
  std::vector<std::uint32_t> entry_of_;  // each id
  std::vector<std::uint32_t> strides_;   // of the first families
};

}  // namespace miriam::features
