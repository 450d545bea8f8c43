package dev.cairn.server.master.namespace;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.NamespaceTable;
import dev.cairn.server.master.assignment.SystemTable;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NamespaceDescriptor;

/**
 * The namespaces, as {@code hbase:namespace} lists them. {@code default} and {@code hbase} are
 * always there. Owned by the loop.
 */
public final class Namespaces {
  private final SystemTable home;
  private final NamespaceTable table;
  private final TreeMap<String, NamespaceDescriptor> namespaces = new TreeMap<>();
  private final Set<String> leaving = new HashSet<>();
  private Optional<String> unreadable = Optional.empty();

  /**
   * Creates the set with the two built-in namespaces.
   *
   * @param home reaches {@code hbase:namespace}
   * @param table the format of {@code hbase:namespace}
   */
  public Namespaces(SystemTable home, NamespaceTable table) {
    this.home = home;
    this.table = table;
    reserved().forEach(one -> namespaces.put(one.getName().toStringUtf8(), one));
  }

  private static List<NamespaceDescriptor> reserved() {
    return List.of(descriptor(TableName.DEFAULT_NAMESPACE), descriptor(TableName.SYSTEM_NAMESPACE));
  }

  private static NamespaceDescriptor descriptor(String name) {
    return NamespaceDescriptor.newBuilder().setName(Messages.wrap(Bytes.utf8(name))).build();
  }

  /** Reads the table, and enters the two that are always there if they are not. */
  void load(Completion completion) {
    home.perform(
        (region, client) -> {
          List<NamespaceDescriptor> found = new ArrayList<>(table.read(region, client));
          List<NamespaceDescriptor> missing =
              reserved().stream()
                  .filter(one -> found.stream().noneMatch(two -> sameName(one, two)))
                  .toList();
          if (!missing.isEmpty()) {
            table.put(region, client, missing);
            found.addAll(missing);
          }
          return found;
        },
        found -> {
          for (NamespaceDescriptor descriptor : found) {
            namespaces.put(descriptor.getName().toStringUtf8(), descriptor);
          }
          completion.done();
        },
        completion::failed);
  }

  private static boolean sameName(NamespaceDescriptor one, NamespaceDescriptor two) {
    return one.getName().equals(two.getName());
  }

  /** Tells whether the namespace is one of the two built-in ones. */
  public static boolean isReserved(String name) {
    return name.equals(TableName.DEFAULT_NAMESPACE) || name.equals(TableName.SYSTEM_NAMESPACE);
  }

  /** Returns a namespace, including one that is being deleted. */
  public Optional<NamespaceDescriptor> find(String name) {
    return Optional.ofNullable(namespaces.get(name));
  }

  /**
   * Records that the namespace table cannot be read, with the reason. Only the two built-in
   * namespaces are known then.
   */
  void setUnreadable(String reason) {
    unreadable = Optional.of(reason);
  }

  /** Checks that all namespaces are known. */
  public void checkReadable() throws DoNotRetryIOException {
    if (unreadable.isPresent()) {
      throw new DoNotRetryIOException(unreadable.get());
    }
  }

  /** Returns a namespace that is there to stay. */
  public NamespaceDescriptor require(String name) throws DoNotRetryIOException {
    if (!isReserved(name)) {
      checkReadable();
    }
    return find(name)
        .filter(present -> !leaving.contains(name))
        .orElseThrow(() -> new NamespaceNotFoundException(name.isBlank() ? "(blank name)" : name));
  }

  /** Returns all namespaces, ordered by name. */
  public Collection<NamespaceDescriptor> all() {
    return Collections.unmodifiableCollection(namespaces.values());
  }

  /** Closes the namespace to new users; {@link #remove} follows. */
  public void setLeaving(String name) {
    leaving.add(name);
  }

  /** Writes a namespace to the table, then makes it known. */
  public void put(NamespaceDescriptor descriptor, Completion completion) {
    home.perform(
        (region, client) -> {
          table.put(region, client, List.of(descriptor));
          return descriptor;
        },
        done -> {
          namespaces.put(done.getName().toStringUtf8(), done);
          completion.done();
        },
        completion::failed);
  }

  /** Removes a namespace from the table, then forgets it. */
  public void remove(String name, Completion completion) {
    home.perform(
        (region, client) -> {
          table.remove(region, client, name);
          return name;
        },
        done -> {
          namespaces.remove(done);
          leaving.remove(done);
          completion.done();
        },
        completion::failed);
  }
}
