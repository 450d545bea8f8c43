package dev.cairn.server.rpc;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * A protobuf service: its name as the connection header gives it, and the methods that are
 * supported. A method that the protocol has and nobody registered is refused by name. Immutable.
 */
public final class RpcService {
  private final String name;
  private final Supplier<ServiceDescriptor> descriptor;
  private final Map<String, RpcMethod<?, ?>> methods;

  private RpcService(
      String name, Supplier<ServiceDescriptor> descriptor, Map<String, RpcMethod<?, ?>> methods) {
    this.name = name;
    this.descriptor = descriptor;
    this.methods = Map.copyOf(methods);
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

  /** Returns the names of the registered methods. */
  public Set<String> methodNames() {
    return methods.keySet();
  }

  /** Returns the registered method of that name. */
  public Optional<RpcMethod<?, ?>> method(String name) {
    return Optional.ofNullable(methods.get(name));
  }

  /**
   * Returns the error for a method that is not registered: unsupported, or not part of the protocol
   * at all.
   */
  public IOException unknown(String name) {
    return new DoNotRetryIOException(
        descriptor().findMethodByName(name) == null
            ? "The service " + name() + " has no method " + name
            : "Cairn does not support " + name() + "." + name + " yet");
  }

  /** Collects the methods of a service. */
  public static final class Builder {
    private final String service;
    private final Supplier<ServiceDescriptor> descriptor;
    private final Map<String, RpcMethod<?, ?>> methods = new HashMap<>();

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
      return on(new RpcMethod<>(name, requestPrototype, handler, Optional.empty()));
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
      return on(new RpcMethod<>(name, requestPrototype, handler, Optional.of(quick)));
    }

    private Builder on(RpcMethod<?, ?> method) {
      String name = method.name();
      if (methods.put(name, method) != null) {
        throw new IllegalArgumentException(name + " is registered twice");
      }
      return this;
    }

    /** Returns the service. */
    public RpcService build() {
      return new RpcService(service, descriptor, methods);
    }
  }
}
