package dev.cairn.server.rpc;

import dev.cairn.server.rpc.service.ClientVersion;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.rpc.service.RpcServices;
import dev.cairn.server.rpc.wire.CellBlockCodec;
import dev.cairn.server.rpc.wire.UnknownServiceException;
import org.apache.hadoop.hbase.ipc.FatalConnectionException;
import org.apache.hadoop.hbase.ipc.UnsupportedCellCodecException;
import org.apache.hadoop.hbase.ipc.UnsupportedCompressionCodecException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;

/**
 * The contents of a client's connection header.
 *
 * @param service the service of all calls of the connection
 * @param user the user's name, not authenticated
 * @param codec format of the cells that follow messages
 * @param version the client's version
 */
record ConnectionInfo(
    RpcService service, String user, CellBlockCodec codec, ClientVersion version) {

  /**
   * Reads a connection header.
   *
   * @throws FatalConnectionException if the client asks for something that this server has not
   */
  static ConnectionInfo of(ConnectionHeader header, RpcServices services)
      throws FatalConnectionException {
    String serviceName = header.getServiceName();
    if (serviceName.isEmpty()) {
      throw new FatalConnectionException("The connection header names no service");
    }
    RpcService service =
        services
            .find(serviceName)
            .orElseThrow(
                () ->
                    new UnknownServiceException(
                        "There is no service "
                            + serviceName
                            + " on this port; it has "
                            + services.names()));
    if (!header.getCellBlockCompressorClass().isEmpty()) {
      throw new UnsupportedCompressionCodecException(
          "Compressed cell blocks ("
              + header.getCellBlockCompressorClass()
              + ") are not supported; remove hbase.client.rpc.compressor from the client's"
              + " configuration");
    }
    if (header.hasRpcCryptoCipherTransformation()) {
      throw new FatalConnectionException(
          "Encrypted RPC is not supported; set hbase.rpc.crypto.encryption.aes.enabled to false"
              + " at the client");
    }
    CellBlockCodec codec;
    try {
      codec = CellBlockCodec.named(header.getCellBlockCodecClass());
    } catch (IllegalArgumentException e) {
      throw new UnsupportedCellCodecException(e.getMessage(), e);
    }
    return new ConnectionInfo(
        service, user(header), codec, ClientVersion.of(header.getVersionInfo()));
  }

  /** Tells whether the client has the class {@code RequestTooBigException}. */
  boolean knowsRequestTooBig() {
    return version.isAtLeast(1, 3);
  }

  private static String user(ConnectionHeader header) {
    String user = header.getUserInfo().getEffectiveUser();
    return user.isEmpty() ? "unknown" : user;
  }
}
