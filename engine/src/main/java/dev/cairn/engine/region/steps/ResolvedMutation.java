package dev.cairn.engine.region.steps;

import dev.cairn.engine.region.write.Mutation;
import java.io.IOException;
import java.util.Optional;

/**
 * A mutation whose cells are final, unless it is refused.
 *
 * @param mutation the mutation with the cells to write. An increment or append has the computed
 *     cells in order; any other is the object that was to be resolved. A refused mutation is
 *     unchanged, but its cells may have timestamps
 * @param refusal why it cannot be written; empty if it can
 */
public record ResolvedMutation(Mutation mutation, Optional<IOException> refusal) {}
