package dev.cairn.interop.hostile;

import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SnapshotRegionParameter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.Descriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.DescriptorValidationException;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FileDescriptor;

/** Describes {@code SnapshotService}, which HBase does not have. */
final class SnapshotServiceDescriptor {
  private SnapshotServiceDescriptor() {}

  /** Returns the descriptor of a file with the service. */
  static FileDescriptor file() {
    MethodDescriptorProto method =
        MethodDescriptorProto.newBuilder()
            .setName("SnapshotRegion")
            .setInputType(name(SnapshotRegionParameter.getDescriptor()))
            .setOutputType(name(SnapshotRegionManifest.getDescriptor()))
            .build();
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("SnapshotService.proto")
            .addDependency(MasterProcedureProtos.getDescriptor().getName())
            .addDependency(SnapshotProtos.getDescriptor().getName())
            .addService(
                ServiceDescriptorProto.newBuilder().setName("SnapshotService").addMethod(method))
            .build();
    try {
      return FileDescriptor.buildFrom(
          file,
          new FileDescriptor[] {
            MasterProcedureProtos.getDescriptor(), SnapshotProtos.getDescriptor()
          });
    } catch (DescriptorValidationException e) {
      throw new AssertionError(e);
    }
  }

  private static String name(Descriptor message) {
    return "." + message.getFullName();
  }
}
