package dev.cairn.server.slowlog;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.AdminService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.BootstrapNodeProtos.BootstrapNodeService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.HbckService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStatusService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.ClientMetaService;
import org.apache.hbase.thirdparty.com.google.protobuf.BlockingService;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Parses the requests of all methods into protobuf messages. The classes of a service load when one
 * of its calls is first parsed. Thread-safe.
 */
final class RequestMessages {
  private static final Map<String, Supplier<BlockingService>> SERVICES =
      Map.of(
          "ClientService", () -> ClientService.newReflectiveBlockingService(null),
          "AdminService", () -> AdminService.newReflectiveBlockingService(null),
          "MasterService", () -> MasterService.newReflectiveBlockingService(null),
          "HbckService", () -> HbckService.newReflectiveBlockingService(null),
          "RegionServerStatusService",
              () -> RegionServerStatusService.newReflectiveBlockingService(null),
          "ClientMetaService", () -> ClientMetaService.newReflectiveBlockingService(null),
          "BootstrapNodeService", () -> BootstrapNodeService.newReflectiveBlockingService(null));

  private RequestMessages() {}

  /** Returns an empty request of a method; empty if the protocol lacks the method. */
  static Optional<Message> prototype(String service, String method) {
    return Optional.ofNullable(SERVICES.get(service))
        .map(Supplier::get)
        .flatMap(
            found ->
                Optional.ofNullable(found.getDescriptorForType().findMethodByName(method))
                    .map(found::getRequestPrototype));
  }

  /** Parses a request; empty if the bytes are not a valid message. */
  static Optional<Message> parse(Message prototype, byte[] bytes) {
    try {
      return Optional.of(prototype.getParserForType().parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }
}
