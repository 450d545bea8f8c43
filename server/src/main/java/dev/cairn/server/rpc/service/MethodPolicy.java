package dev.cairn.server.rpc.service;

import java.util.Optional;
import java.util.Set;

/**
 * Describes one method of the protocol; {@link MethodTables} declares it once. The queues, the
 * interceptors and the quotas read it. {@code callers} is a declaration that an interceptor may
 * read; nothing enforces it, because callers are not authenticated.
 *
 * @param service the service's name, for example {@code ClientService}
 * @param name the method's name, for example {@code Get}
 * @param callers the roles that call it; not enforced
 * @param queue the queue in which a call waits for a handler
 * @param inline the budget of a network thread for a call; empty for methods that only handlers
 *     answer, because they may block
 * @param quota how throttles count a call
 */
public record MethodPolicy(
    String service,
    String name,
    Set<Caller> callers,
    Queue queue,
    Optional<CallBudget> inline,
    Quota quota) {

  /** Roles of callers. */
  public enum Caller {
    CLIENT,
    REGION_SERVER,
    MASTER
  }

  /** The queues with handlers of their own. */
  public enum Queue {
    /** The general handlers; calls that concern system tables go to the priority handlers. */
    GENERAL_SYSTEM_FIRST,
    /** The priority handlers, so that a cluster can act while clients keep all others busy. */
    PRIORITY,
    /** The handlers of messages to replicas, which list files and may take long on slow storage. */
    REPLICATION
  }

  /** The accounting of calls by throttles. */
  public enum Quota {
    /** Not throttled. */
    NONE,
    GET,
    MUTATE,
    SCAN,
    /** Counts each action of a batch. */
    BATCH;

    /** Tells whether calls only read, so that a method may run twice for one call. */
    public boolean isRead() {
      return this == GET || this == SCAN;
    }
  }

  /** Copies the roles. */
  public MethodPolicy {
    callers = Set.copyOf(callers);
  }

  /** Returns service and method, for example {@code ClientService.Get}. */
  public String fullName() {
    return service + "." + name;
  }
}
