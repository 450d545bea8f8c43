package dev.cairn.server.process;

import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FileDescriptor;

/**
 * Loads the classes of the protocol's messages. Their descriptors take some tenths of a second to
 * build in a fresh JVM, which another thread can do while the start waits for ZooKeeper.
 */
final class ProtocolClasses {
  private ProtocolClasses() {}

  /** Loads them; returns how many files of messages there are. */
  static int load() {
    return List.<FileDescriptor>of(
            ClientProtos.getDescriptor(),
            MasterProtos.getDescriptor(),
            RegionServerStatusProtos.getDescriptor(),
            AdminProtos.getDescriptor())
        .size();
  }
}
