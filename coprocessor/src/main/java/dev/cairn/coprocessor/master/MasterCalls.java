package dev.cairn.coprocessor.master;

import dev.cairn.server.master.hook.MasterHooks.Body;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The methods of the master with hooks around them. Filled by one thread, then not changed.
 * Thread-safe after that.
 */
final class MasterCalls {
  /** Calls hooks and a method. */
  @FunctionalInterface
  interface Around<Q extends Message, R extends Message> {
    R run(Q request, Body<Q, R> body) throws IOException;
  }

  /** Calls a hook. */
  @FunctionalInterface
  interface Hook<Q> {
    void call(Q request) throws IOException;
  }

  private record Entry(Set<String> hooks, Around<?, ?> around) {}

  private final Map<String, Entry> entries = new HashMap<>();

  /**
   * Adds a method.
   *
   * @param hooks the hooks that are called around it
   */
  <Q extends Message, R extends Message> void on(
      String method, Class<Q> request, Around<Q, R> around, String... hooks) {
    if (entries.put(method, new Entry(Set.of(hooks), around)) != null) {
      throw new IllegalArgumentException("Hooks of " + method + " are there already");
    }
  }

  /** Adds a method with a hook before and a hook after, which both take the request. */
  <Q extends Message> void on(
      String method, Class<Q> request, String pre, Hook<Q> before, String post, Hook<Q> after) {
    this.<Q, Message>on(
        method,
        request,
        (r, body) -> {
          before.call(r);
          Message response = body.run(r);
          after.call(r);
          return response;
        },
        pre,
        post);
  }

  /** Returns the methods around which one of these hooks is called. */
  Set<String> methods(Set<String> overridden) {
    Set<String> methods = new HashSet<>();
    entries.forEach(
        (method, entry) -> {
          if (!Collections.disjoint(entry.hooks(), overridden)) {
            methods.add(method);
          }
        });
    return methods;
  }

  /** Returns the names of all hooks that are called around methods. */
  Set<String> hooks() {
    Set<String> hooks = new HashSet<>();
    entries.values().forEach(entry -> hooks.addAll(entry.hooks()));
    return hooks;
  }

  /** Calls the hooks of a method, and the method between them. */
  @SuppressWarnings("unchecked") // a method's request and response have the types of its entry
  <Q extends Message, R extends Message> R run(String method, Q request, Body<Q, R> body)
      throws IOException {
    return ((Around<Q, R>) entries.get(method).around()).run(request, body);
  }
}
