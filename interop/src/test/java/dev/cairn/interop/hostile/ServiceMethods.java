package dev.cairn.interop.hostile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.BootstrapNodeProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.ServiceDescriptor;

/** Finds out which services and methods a server has, by asking it. */
final class ServiceMethods {
  private static final String LIST = "on this port; it has ";

  /** No message begins like this: there is no such type of a field. */
  private static final byte[] NO_MESSAGE = {7};

  /** Services that are the same on both ports. */
  private static final Set<String> ALIKE = Set.of("ClientMetaService", "BootstrapNodeService");

  private static final Map<String, ServiceDescriptor> KNOWN =
      Stream.of(
              ClientProtos.getDescriptor(),
              AdminProtos.getDescriptor(),
              MasterProtos.getDescriptor(),
              RegionServerStatusProtos.getDescriptor(),
              LockServiceProtos.getDescriptor(),
              RegistryProtos.getDescriptor(),
              BootstrapNodeProtos.getDescriptor(),
              SnapshotServiceDescriptor.file())
          .flatMap(file -> file.getServices().stream())
          .collect(Collectors.toMap(ServiceDescriptor::getName, service -> service));

  /**
   * A method that a server answers.
   *
   * @param port where
   */
  record Served(int port, MethodDescriptor method) {
    String service() {
      return method.getService().getName();
    }

    String methodName() {
      return method.getName();
    }

    String name() {
      return service() + "." + method.getName();
    }
  }

  private ServiceMethods() {}

  /**
   * Returns the methods that are supported on {@code ports}, by service and name; with <code>
   * @master</code> behind it for one that the second port, the master's, has too.
   */
  static Map<String, Served> of(String host, List<Integer> ports) throws IOException {
    Map<String, Served> served = new LinkedHashMap<>();
    for (int port : ports) {
      for (String name : services(host, port)) {
        ServiceDescriptor service =
            Optional.ofNullable(KNOWN.get(name))
                .orElseThrow(() -> new AssertionError("This test does not know " + name));
        try (WireConnection connection = new WireConnection(host, port, name)) {
          for (MethodDescriptor method : service.getMethods()) {
            if (isSupported(connection, method)) {
              Served one = new Served(port, method);
              if (served.putIfAbsent(one.name(), one) != null && !ALIKE.contains(name)) {
                served.put(one.name() + "@master", one);
              }
            }
          }
        }
      }
    }
    return served;
  }

  private static List<String> services(String host, int port) throws IOException {
    try (WireConnection connection = new WireConnection(host, port, "NoSuchService")) {
      String text = connection.read().error().orElseThrow().getStackTrace();
      String line = text.lines().findFirst().orElseThrow();
      List<String> names = new ArrayList<>();
      for (String name : line.substring(line.indexOf(LIST) + LIST.length()).split(", ")) {
        names.add(name);
      }
      return names;
    }
  }

  private static boolean isSupported(WireConnection connection, MethodDescriptor method)
      throws IOException {
    String text =
        connection
            .call(method.getName(), NO_MESSAGE, new byte[0])
            .error()
            .orElseThrow(() -> new AssertionError(method + " took what is no message"))
            .getStackTrace();
    return !text.contains(" not supported yet (") && !text.contains(" is not served on this port");
  }
}
