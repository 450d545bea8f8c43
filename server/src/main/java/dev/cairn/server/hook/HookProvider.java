package dev.cairn.server.hook;

/**
 * Runs coprocessors: the module {@code cairn-coprocessor}, found by {@link
 * java.util.ServiceLoader}. Without state; many servers share one. Thread-safe.
 */
public interface HookProvider {
  /** Returns the coprocessors of a process. Loads none yet. */
  ServerHooks open(ServerHost host);
}
