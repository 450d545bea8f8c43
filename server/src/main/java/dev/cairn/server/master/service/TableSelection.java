package dev.cairn.server.master.service;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.filter.EvaluationEndedException;
import dev.cairn.server.filter.EvaluationGuard;
import dev.cairn.server.filter.GuardedPattern;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.PatternSyntaxException;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * Selects tables by a pattern of names and a namespace, on the handler of the call that asks. A
 * pattern that backtracks stops when its call ends; it never runs on the master's loop.
 */
final class TableSelection {
  /** The wait of a caller that states none. */
  private static final long DEFAULT_WAIT_NANOS = TimeUnit.MINUTES.toNanos(2);

  private final EvaluationGuard guard;
  private final Optional<GuardedPattern> pattern;
  private final Optional<String> namespace;
  private final boolean systemTables;

  /**
   * Creates a selection.
   *
   * @param guard stops patterns
   * @param regex matches whole names; those of the default namespace with it and without
   * @param namespace the only namespace; all if empty, also as text
   * @param systemTables whether tables of the namespace {@code hbase} can be selected
   * @throws DoNotRetryIOException if {@code regex} is no regular expression
   */
  TableSelection(
      EvaluationGuard guard,
      Optional<String> regex,
      Optional<String> namespace,
      boolean systemTables)
      throws DoNotRetryIOException {
    this.guard = guard;
    this.namespace = namespace.filter(value -> !value.isEmpty());
    this.systemTables = systemTables;
    try {
      this.pattern = regex.map(text -> new GuardedPattern(text, guard));
    } catch (PatternSyntaxException e) {
      throw new DoNotRetryIOException("Not a regular expression: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the selected ones of {@code tables}, in their order.
   *
   * @throws IOException if the call ended before all names were matched
   */
  <T> List<T> of(RpcCall call, List<T> tables, Function<T, TableName> name) throws IOException {
    long waitNanos =
        call.deadlineNanos() == Long.MAX_VALUE
            ? DEFAULT_WAIT_NANOS
            : call.deadlineNanos() - call.receivedNanos();
    try (EvaluationGuard.Limit limit =
        guard.limit(call.receivedNanos(), waitNanos, call::isAbandoned)) {
      return tables.stream().filter(table -> matches(name.apply(table))).toList();
    } catch (EvaluationEndedException e) {
      throw e.forClient("The pattern of table names");
    }
  }

  private boolean matches(TableName name) {
    if (!systemTables && name.namespace().equals(TableName.SYSTEM_NAMESPACE)
        || namespace.isPresent() && !name.namespace().equals(namespace.get())) {
      return false;
    }
    return pattern.isEmpty()
        || pattern.get().matches(name.toString())
        || pattern.get().matches(name.namespace() + ":" + name.qualifier());
  }
}
