package dev.cairn.server.master.ddl;

import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.namespace.Namespaces;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.quota.NamespaceQuota;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.quota.QuotaTarget;
import dev.cairn.server.rpc.wire.NamedException;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NamespaceExistException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NamespaceDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.CreateNamespaceStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.DeleteNamespaceStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.ModifyNamespaceStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes, changes or removes a namespace. */
public final class NamespaceProcedure implements Procedure {
  private static final Logger LOG = LoggerFactory.getLogger(NamespaceProcedure.class);
  private static final Pattern NAME = Pattern.compile("[\\p{IsAlphabetic}\\p{IsDigit}_]+");

  private final ProcedureContext context;
  private final ProcedureKind kind;
  private final NamespaceDescriptor descriptor;
  private final Predicate<String> hasTableProcedures;

  /**
   * Creates the procedure.
   *
   * @param descriptor the namespace; if it is to be removed, only the name matters
   * @param hasTableProcedures tells whether a namespace has tables that are being made
   */
  public NamespaceProcedure(
      ProcedureContext context,
      ProcedureKind kind,
      NamespaceDescriptor descriptor,
      Predicate<String> hasTableProcedures) {
    this.context = context;
    this.kind = kind;
    this.descriptor = descriptor;
    this.hasTableProcedures = hasTableProcedures;
  }

  /** Goes on with a stored one. */
  static NamespaceProcedure restore(ProcedureContext context, ProcedureKind kind, Message data) {
    NamespaceDescriptor descriptor =
        switch (kind) {
          case CREATE_NAMESPACE -> ((CreateNamespaceStateData) data).getNamespaceDescriptor();
          case MODIFY_NAMESPACE -> ((ModifyNamespaceStateData) data).getNamespaceDescriptor();
          default -> ((DeleteNamespaceStateData) data).getNamespaceDescriptor();
        };
    NamespaceProcedure procedure = new NamespaceProcedure(context, kind, descriptor, name -> false);
    if (kind == ProcedureKind.DELETE_NAMESPACE) {
      context.namespaces().setLeaving(procedure.name());
    }
    return procedure;
  }

  private String name() {
    return descriptor.getName().toStringUtf8();
  }

  @Override
  public ProcedureKind kind() {
    return kind;
  }

  @Override
  public Message data() {
    return switch (kind) {
      case CREATE_NAMESPACE ->
          CreateNamespaceStateData.newBuilder().setNamespaceDescriptor(descriptor).build();
      case MODIFY_NAMESPACE ->
          ModifyNamespaceStateData.newBuilder().setNamespaceDescriptor(descriptor).build();
      default ->
          DeleteNamespaceStateData.newBuilder()
              .setNamespaceName(name())
              .setNamespaceDescriptor(descriptor)
              .build();
    };
  }

  @Override
  public String resource() {
    return "namespace:" + name();
  }

  @Override
  public void prepare() throws IOException {
    switch (kind) {
      case CREATE_NAMESPACE -> {
        if (!NAME.matcher(name()).matches()) {
          throw new DoNotRetryIOException(
              "Illegal namespace <" + name() + ">: letters, digits and underscores only");
        }
        TableDescriptorChecker.checkDirectory("A namespace's name", name());
        if (context.namespaces().find(name()).isPresent()) {
          throw new NamespaceExistException("Namespace " + name() + " already exists");
        }
        NamespaceQuota.check(descriptor);
        context.groups().checkNamespace(descriptor);
      }
      case MODIFY_NAMESPACE -> {
        context.namespaces().require(name());
        NamespaceQuota.check(descriptor);
        context.groups().checkNamespace(descriptor);
      }
      default -> {
        context.namespaces().require(name());
        if (Namespaces.isReserved(name())) {
          throw new NamedException(
              NamedException.CONSTRAINT, "Reserved namespace " + name() + " cannot be removed.");
        }
        long tables =
            context.tables().states().keySet().stream()
                .filter(table -> table.namespace().equals(name()))
                .count();
        if (tables > 0 || hasTableProcedures.test(name())) {
          throw new NamedException(
              NamedException.CONSTRAINT,
              "Only empty namespaces can be removed. Namespace "
                  + name()
                  + " has "
                  + (tables > 0 ? tables + " tables" : "tables that are being changed"));
        }
        context.namespaces().setLeaving(name());
      }
    }
  }

  @Override
  public List<Step> steps() {
    return switch (kind) {
      case CREATE_NAMESPACE ->
          List.of(
              new Step("CREATE_NAMESPACE_CREATE_DIRECTORY", this::createDirectory),
              new Step("CREATE_NAMESPACE_INSERT_INTO_NS_TABLE", this::put));
      case MODIFY_NAMESPACE -> List.of(new Step("MODIFY_NAMESPACE_UPDATE_NS_TABLE", this::put));
      default ->
          List.of(
              new Step("DELETE_NAMESPACE_DELETE_FROM_NS_TABLE", this::remove),
              new Step("DELETE_NAMESPACE_DELETE_DIRECTORIES", this::deleteDirectory),
              new Step("DELETE_NAMESPACE_REMOVE_NAMESPACE_QUOTA", this::removeQuotas));
    };
  }

  private void createDirectory(Completion completion) {
    context.onFiles(() -> context.files().createNamespace(name()), completion);
  }

  private void removeQuotas(Completion completion) {
    context.quotas().forget(QuotaTarget.namespace(name()), completion);
  }

  private void deleteDirectory(Completion completion) {
    context
        .loop()
        .perform(
            Lane.FILES,
            () -> context.files().deleteNamespace(name()),
            gone -> {
              if (!gone) {
                LOG.warn(
                    "The directory of the namespace {} holds something that is no table of it, and"
                        + " stays",
                    name());
              }
              completion.done();
            },
            completion::failed);
  }

  private void put(Completion completion) {
    context.namespaces().put(descriptor, completion);
  }

  private void remove(Completion completion) {
    context.namespaces().remove(name(), completion);
  }
}
