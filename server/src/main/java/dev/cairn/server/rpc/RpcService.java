package dev.cairn.server.rpc;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * A protobuf service: its name as the connection header gives it, and the methods that are
 * supported. A method that the protocol has and nobody registered is refused by name. Any number of
 * threads.
 */
public final class RpcService {
  private final String name;
  private final Supplier<ServiceDescriptor> descriptor;

  /** The methods that are registered so far; never changed, but replaced. */
  private volatile Map<String, RpcMethod<?, ?>> methods;

  /** What registers the others, in this order; guarded by this. */
  private final Queue<Consumer<Builder>> later;

  private RpcService(Builder builder) {
    this.name = builder.service;
    this.descriptor = builder.descriptor;
    this.methods = Map.copyOf(builder.methods);
    this.later = new ArrayDeque<>(builder.later);
  }

  /**
   * Returns a builder for a service.
   *
   * @param name its name, for example {@code ClientService}
   * @param descriptor returns its description. It is asked only when somebody calls a method that
   *     is not registered: the protocol's descriptions take a tenth of a second to build, which a
   *     start can do without. That it has the name and the registered methods, tests hold
   */
  public static Builder builder(String name, Supplier<ServiceDescriptor> descriptor) {
    return new Builder(name, descriptor);
  }

  /** Returns the service's name, for example {@code ClientService}. */
  public String name() {
    return name;
  }

  /** Returns what the protocol says of the service. */
  public ServiceDescriptor descriptor() {
    return descriptor.get();
  }

  /** Returns the names of all methods, those that are registered later as well. */
  public synchronized Set<String> methodNames() {
    while (!later.isEmpty()) {
      registerMore();
    }
    return methods.keySet();
  }

  /** Returns the method of that name, if there is one. */
  public Optional<RpcMethod<?, ?>> method(String name) {
    RpcMethod<?, ?> method = methods.get(name);
    return Optional.ofNullable(method != null ? method : registeredNow(name));
  }

  private synchronized RpcMethod<?, ?> registeredNow(String name) {
    while (!methods.containsKey(name) && !later.isEmpty()) {
      registerMore();
    }
    return methods.get(name);
  }

  private void registerMore() {
    Builder builder = new Builder(name, descriptor);
    builder.methods.putAll(methods);
    later.element().accept(builder);
    methods = Map.copyOf(builder.methods);
    later.remove(); // not before: if it fails, the next call of one of its methods tries again
  }

  /**
   * Returns the error for a method that is not registered: unsupported, or not part of the protocol
   * at all.
   */
  public IOException unknown(String name) {
    return new DoNotRetryIOException(
        descriptor().findMethodByName(name) == null
            ? "The service " + name() + " has no method " + name
            : UnsupportedFeatures.refusal(name(), name)
                .orElse("The RPC " + name() + "." + name + " is not served on this port"));
  }

  /** Collects the methods of a service. */
  public static final class Builder {
    private final String service;
    private final Supplier<ServiceDescriptor> descriptor;
    private final Map<String, RpcMethod<?, ?>> methods = new HashMap<>();
    private final List<Consumer<Builder>> later = new ArrayList<>();

    private Builder(String service, Supplier<ServiceDescriptor> descriptor) {
      this.service = service;
      this.descriptor = descriptor;
    }

    /**
     * Registers a method.
     *
     * @throws IllegalArgumentException if it is registered already
     */
    public <Q extends Message, R extends Message> Builder on(
        String name, Q requestPrototype, RpcMethod.Handler<Q, R> handler) {
      return on(
          RpcMethod.of(name, RpcMethod.Parser.of(requestPrototype), handler, Optional.empty()));
    }

    /**
     * Registers a method some of whose calls are answered on the network thread.
     *
     * @throws IllegalArgumentException as above
     */
    public <Q extends Message, R extends Message> Builder on(
        String name,
        Q requestPrototype,
        RpcMethod.Handler<Q, R> handler,
        RpcMethod.Quick<Q, R> quick) {
      return on(
          RpcMethod.of(name, RpcMethod.Parser.of(requestPrototype), handler, Optional.of(quick)));
    }

    /**
     * Registers a method.
     *
     * @throws IllegalArgumentException as above
     */
    public Builder on(RpcMethod<?, ?> method) {
      String name = method.name();
      if (methods.put(name, method) != null) {
        throw new IllegalArgumentException(name + " is registered twice");
      }
      return this;
    }

    /**
     * Has more methods registered by {@code group} once somebody calls a method that is not
     * registered yet; several groups take turns, until it is. Five classes a method are loaded for
     * that, which a start can do without: a few milliseconds of whoever reads the first such call.
     * No group has a method of another one.
     */
    public Builder later(Consumer<Builder> group) {
      later.add(group);
      return this;
    }

    /** Returns the service. */
    public RpcService build() {
      return new RpcService(this);
    }
  }
}
