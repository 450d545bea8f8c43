package dev.cairn.server.rpc.service;

import dev.cairn.server.rpc.service.MethodPolicy.Caller;
import dev.cairn.server.rpc.service.MethodPolicy.Queue;
import dev.cairn.server.rpc.service.MethodPolicy.Quota;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Has all methods of one service of the protocol: a {@link MethodPolicy} for each method that Cairn
 * serves, and an error message for each method that it refuses. Immutable.
 */
public final class MethodTable {
  private final String service;
  private final Map<String, MethodPolicy> served;
  private final Map<String, String> refused;
  private final List<String> order;
  private final Map<String, String> notes;

  /**
   * One method, for people.
   *
   * @param method the method's name
   * @param served whether Cairn serves the method
   * @param text its effect here, if its name does not say so; the error of a refused method
   */
  public record Entry(String method, boolean served, String text) {}

  private MethodTable(Builder builder) {
    this.service = builder.service;
    this.served = Map.copyOf(builder.served);
    this.refused = Map.copyOf(builder.refused);
    this.order = List.copyOf(builder.order);
    this.notes = Map.copyOf(builder.notes);
  }

  static Builder of(String service, Set<Caller> callers, Queue queue) {
    return new Builder(service, callers, queue);
  }

  /** Returns the service's name, for example {@code ClientService}. */
  public String service() {
    return service;
  }

  /** Returns the policy of a method; empty if Cairn refuses the method or the protocol lacks it. */
  public Optional<MethodPolicy> find(String method) {
    return Optional.ofNullable(served.get(method));
  }

  /** Returns the error message for a method that Cairn refuses; empty for other methods. */
  public Optional<String> refusal(String method) {
    return Optional.ofNullable(refused.get(method));
  }

  /** Returns the names of the methods that Cairn serves. */
  public Set<String> served() {
    return served.keySet();
  }

  /** Returns all methods in the order of their declaration. */
  public List<Entry> entries() {
    return order.stream()
        .map(
            method ->
                served.containsKey(method)
                    ? new Entry(method, true, notes.getOrDefault(method, ""))
                    : new Entry(method, false, refused.get(method)))
        .toList();
  }

  /** Collects the methods of one service. */
  static final class Builder {
    private final String service;
    private final List<String> order = new ArrayList<>();
    private final Map<String, String> notes = new HashMap<>();
    private final Map<String, MethodPolicy> served = new HashMap<>();
    private final Map<String, String> refused = new HashMap<>();
    private Queue queue;
    private Set<Caller> callers;
    private String feature = "";

    private Builder(String service, Set<Caller> callers, Queue queue) {
      this.service = service;
      this.callers = callers;
      this.queue = queue;
    }

    /** Sets the callers of the methods that follow. */
    Builder callers(Caller... callers) {
      this.callers = Set.of(callers);
      return this;
    }

    /** Sets the queue of the methods that follow. */
    Builder queue(Queue queue) {
      this.queue = queue;
      return this;
    }

    /** Adds a method that is neither throttled nor answered by network threads. */
    Builder on(String method) {
      return on(method, Quota.NONE, Optional.empty());
    }

    /**
     * Adds a method.
     *
     * @param inline the budget of network threads; empty if only handlers answer
     */
    Builder on(String method, Quota quota, Optional<CallBudget> inline) {
      checkNew(method);
      served.put(method, new MethodPolicy(service, method, callers, queue, inline, quota));
      return this;
    }

    /**
     * Adds a note about the method that was added last, if its name is not enough: clauses for the
     * page on methods.
     */
    Builder note(String text) {
      notes.put(order.get(order.size() - 1), text);
      return this;
    }

    /**
     * Names the missing feature of the refused methods that follow: a subject with its verb, such
     * as "Snapshots are".
     */
    Builder lacks(String feature) {
      this.feature = feature;
      return this;
    }

    /**
     * Adds a method that is refused.
     *
     * @param commands the commands of HBase's shell or the tools that call it, separated by commas;
     *     may be empty
     */
    Builder refused(String method, String commands) {
      checkNew(method);
      String shell = commands.isEmpty() ? "" : "shell: " + commands + "; ";
      refused.put(
          method, feature + " not supported yet (" + shell + "RPC " + service + "." + method + ")");
      return this;
    }

    private void checkNew(String method) {
      if (served.containsKey(method) || refused.containsKey(method)) {
        throw new IllegalStateException(service + "." + method + " has two entries");
      }
      order.add(method);
    }

    MethodTable build() {
      return new MethodTable(this);
    }
  }
}
