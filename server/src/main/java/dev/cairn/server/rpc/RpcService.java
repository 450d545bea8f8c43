package dev.cairn.server.rpc;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * A protobuf service: its name as the connection header gives it, and the methods that are
 * supported. A method that the protocol has and nobody registered is refused by name. Immutable.
 */
public final class RpcService {
  private final ServiceDescriptor descriptor;
  private final Map<String, RpcMethod<?, ?>> methods;

  private RpcService(ServiceDescriptor descriptor, Map<String, RpcMethod<?, ?>> methods) {
    this.descriptor = descriptor;
    this.methods = Map.copyOf(methods);
  }

  /** Returns a builder for the service that {@code descriptor} describes. */
  public static Builder builder(ServiceDescriptor descriptor) {
    return new Builder(descriptor);
  }

  /** Returns the service's name, for example {@code ClientService}. */
  public String name() {
    return descriptor.getName();
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
        descriptor.findMethodByName(name) == null
            ? "The service " + name() + " has no method " + name
            : "Cairn does not support " + name() + "." + name + " yet");
  }

  /** Collects the methods of a service. */
  public static final class Builder {
    private final ServiceDescriptor descriptor;
    private final Map<String, RpcMethod<?, ?>> methods = new HashMap<>();

    private Builder(ServiceDescriptor descriptor) {
      this.descriptor = descriptor;
    }

    /**
     * Registers a method.
     *
     * @throws IllegalArgumentException if the protocol has none of that name, or it is registered
     *     already
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
      if (descriptor.findMethodByName(name) == null) {
        throw new IllegalArgumentException(descriptor.getName() + " has no method " + name);
      }
      if (methods.put(name, method) != null) {
        throw new IllegalArgumentException(name + " is registered twice");
      }
      return this;
    }

    /** Returns the service. */
    public RpcService build() {
      return new RpcService(descriptor, methods);
    }
  }
}
