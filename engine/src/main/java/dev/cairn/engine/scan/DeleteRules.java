package dev.cairn.engine.scan;

import dev.cairn.engine.schema.FamilySchema;
import java.io.IOException;
import java.util.Optional;

/** Chooses the rules by which reads and rewrites of families apply delete markers. Thread-safe. */
@FunctionalInterface
public interface DeleteRules {
  /** Uses each family's own rule. */
  DeleteRules OF_FAMILIES = family -> Optional.empty();

  /**
   * Returns a new rule for one read or rewrite of a family; empty for the family's own rule.
   *
   * @throws IOException fails the read or rewrite
   */
  Optional<DeleteRule> of(FamilySchema family) throws IOException;
}
