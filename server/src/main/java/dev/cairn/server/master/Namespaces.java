package dev.cairn.server.master;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.MasterLoop.Completion;
import dev.cairn.server.master.MasterLoop.Lane;
import dev.cairn.server.master.MasterStore.Change;
import dev.cairn.server.master.MasterStore.Section;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NamespaceDescriptor;

/**
 * The namespaces. {@code default} and {@code hbase} are always there; others lie in the master's
 * store. Owned by the loop.
 */
final class Namespaces {
  private static final String ROW_PREFIX = "namespace/";

  private final MasterLoop loop;
  private final MasterStore store;
  private final TreeMap<String, NamespaceDescriptor> namespaces = new TreeMap<>();
  private final Set<String> leaving = new HashSet<>();

  Namespaces(MasterLoop loop, MasterStore store) {
    this.loop = loop;
    this.store = store;
    for (String name : List.of(TableName.DEFAULT_NAMESPACE, TableName.SYSTEM_NAMESPACE)) {
      namespaces.put(
          name, NamespaceDescriptor.newBuilder().setName(Messages.wrap(Bytes.utf8(name))).build());
    }
  }

  /** Takes one entry of the store; returns whether it was a namespace. */
  boolean load(MasterStore.Entry entry) throws IOException {
    if (!Bytes.utf8(entry.row()).startsWith(ROW_PREFIX)) {
      return false;
    }
    NamespaceDescriptor descriptor = NamespaceDescriptor.parseFrom(entry.value());
    namespaces.put(descriptor.getName().toStringUtf8(), descriptor);
    return true;
  }

  static boolean isReserved(String name) {
    return name.equals(TableName.DEFAULT_NAMESPACE) || name.equals(TableName.SYSTEM_NAMESPACE);
  }

  Optional<NamespaceDescriptor> find(String name) {
    return Optional.ofNullable(namespaces.get(name));
  }

  /** Returns a namespace that is there to stay. */
  NamespaceDescriptor require(String name) throws NamespaceNotFoundException {
    return find(name)
        .filter(present -> !leaving.contains(name))
        .orElseThrow(() -> new NamespaceNotFoundException(name));
  }

  Collection<NamespaceDescriptor> all() {
    return Collections.unmodifiableCollection(namespaces.values());
  }

  /** Lets nobody rely on the namespace any more; {@link #remove} follows. */
  void setLeaving(String name) {
    leaving.add(name);
  }

  void put(NamespaceDescriptor descriptor, Completion completion) {
    String name = descriptor.getName().toStringUtf8();
    store(
        name,
        Optional.of(descriptor.toByteArray()),
        completion.then(
            () -> {
              namespaces.put(name, descriptor);
              completion.done();
            }));
  }

  void remove(String name, Completion completion) {
    store(
        name,
        Optional.empty(),
        completion.then(
            () -> {
              namespaces.remove(name);
              leaving.remove(name);
              completion.done();
            }));
  }

  private void store(String name, Optional<byte[]> value, Completion completion) {
    List<Change> changes = List.of(new Change(Section.STATE, Bytes.utf8(ROW_PREFIX + name), value));
    loop.perform(Lane.STORE, () -> store.apply(changes), completion);
  }
}
