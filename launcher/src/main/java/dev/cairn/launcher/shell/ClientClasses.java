package dev.cairn.launcher.shell;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos;

/**
 * Initializes slow classes of HBase's client while other threads of a start do other work. The
 * client itself would initialize them one after the other.
 */
final class ClientClasses {
  private ClientClasses() {}

  /** Builds the protobuf descriptors of the messages that the client sends. */
  static void describeMessages() {
    RegistryProtos.getDescriptor();
    ClientProtos.getDescriptor();
    MasterProtos.getDescriptor();
    AdminProtos.getDescriptor();
  }

  /** Finds the user who runs this process, as Hadoop does. */
  static void findUser() {
    try {
      User.getCurrent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
