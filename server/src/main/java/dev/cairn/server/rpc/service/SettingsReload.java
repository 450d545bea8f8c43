package dev.cairn.server.rpc.service;

import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.LiveConfig;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.UpdateConfigurationRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.UpdateConfigurationResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Implements {@code AdminService.UpdateConfiguration}: reloads the settings of the process. */
public record SettingsReload(LiveConfig config)
    implements RpcMethod.BlockingHandler<UpdateConfigurationRequest, UpdateConfigurationResponse> {
  private static final Logger LOG = LoggerFactory.getLogger(SettingsReload.class);

  @Override
  public UpdateConfigurationResponse handle(RpcCall call, UpdateConfigurationRequest request)
      throws DoNotRetryIOException {
    LOG.info("{} requests that the settings are read again", call.remoteAddress());
    try {
      config.reload();
    } catch (ConfigException e) {
      throw new DoNotRetryIOException("No setting has changed: " + e.getMessage(), e);
    }
    return UpdateConfigurationResponse.getDefaultInstance();
  }
}
