package dev.cairn.server.hook;

/**
 * Runs coprocessors. The module {@code cairn-coprocessor} implements it, and {@link
 * java.util.ServiceLoader} finds the implementation. Stateless; servers of one process may share
 * it. Thread-safe.
 */
public interface HookProvider {
  /** Returns the coprocessors of a process. Loads no class of them. */
  ServerHooks open(ServerHost host);
}
