package dev.cairn.engine.storage;

import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The names of a {@link MemoryStorage}: as they are, and as the device has them.
 *
 * <p>Each directory has its entries twice: as seen, and as on the device. A change is made to the
 * first at once, and to the second when the directory is synced; until then it waits in one list of
 * changes, in their order. A change moves a node (a file or a directory) as a whole, so that of a
 * move between two directories either both halves have happened or none, as in a file system with a
 * journal. Not thread-safe.
 */
final class MemoryTree {
  /** An entry of a directory. */
  sealed interface Node permits Directory, MemoryFile {
    /** Returns when it was last changed, milliseconds since 1970. */
    long modifiedMillis();
  }

  /** One directory. */
  static final class Directory implements Node {
    private final TreeMap<String, Node> entries = new TreeMap<>();
    private final TreeMap<String, Node> durable = new TreeMap<>();
    private final long modifiedMillis;

    Directory(long modifiedMillis) {
      this.modifiedMillis = modifiedMillis;
    }

    @Override
    public long modifiedMillis() {
      return modifiedMillis;
    }

    /** Returns the visible entries of the directory. */
    Map<String, Node> entries() {
      return entries;
    }
  }

  /** A place in a directory. */
  private record Place(Directory directory, String name) {}

  /** A node that came to a place, or left one, or moved, and the device may not know yet. */
  private record Change(Node node, Optional<Place> from, Optional<Place> to) {
    boolean concerns(Directory directory) {
      return from.filter(place -> place.directory == directory).isPresent()
          || to.filter(place -> place.directory == directory).isPresent();
    }

    boolean isNewFile() {
      return from.isEmpty() && node instanceof MemoryFile;
    }

    /** Makes the change to the entries that {@code entriesOf} finds. */
    void apply(Function<Directory, Map<String, Node>> entriesOf) {
      from.ifPresent(place -> entriesOf.apply(place.directory).remove(place.name, node));
      to.ifPresent(place -> entriesOf.apply(place.directory).put(place.name, node));
    }
  }

  private final Directory root;
  private final List<Change> unsynced = new ArrayList<>();

  MemoryTree() {
    this(new Directory(0));
  }

  private MemoryTree(Directory root) {
    this.root = root;
  }

  static String parent(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  /** Returns the node at {@code path}. */
  Optional<Node> find(String path) {
    Node node = root;
    for (int start = 0; start < path.length(); ) {
      int slash = path.indexOf('/', start);
      int end = slash < 0 ? path.length() : slash;
      node =
          node instanceof Directory directory
              ? directory.entries.get(path.substring(start, end))
              : null;
      if (node == null) {
        return Optional.empty();
      }
      start = end + 1;
    }
    return Optional.of(node);
  }

  /**
   * Returns the directory at {@code path}, which is made if it is missing, with those above it.
   *
   * @param sync whether to make the names durable
   */
  Directory makeDirectory(String path, long nowMillis, boolean sync)
      throws FileAlreadyExistsException {
    Directory directory = root;
    if (path.isEmpty()) {
      return directory;
    }
    for (String name : path.split("/")) {
      Node child = directory.entries.get(name);
      if (child instanceof MemoryFile) {
        throw new FileAlreadyExistsException(
            path + ": " + name + " is a file, where a directory is needed");
      }
      if (child == null) {
        child = new Directory(nowMillis);
        change(new Change(child, Optional.empty(), Optional.of(new Place(directory, name))));
      }
      if (sync && isUnsynced(child)) {
        sync(directory);
      }
      directory = (Directory) child;
    }
    return directory;
  }

  /** Gives {@code file} an unused name. */
  void add(Directory parent, String name, MemoryFile file) {
    change(new Change(file, Optional.empty(), Optional.of(new Place(parent, name))));
  }

  /** Removes the name of the node at {@code path}. */
  void remove(String path) {
    Place place = place(path);
    Node node = place.directory.entries.get(place.name);
    change(new Change(node, Optional.of(place), Optional.empty()));
  }

  /** Moves the node at {@code from} to {@code to}, and replaces a node there. */
  void move(String from, String to) {
    Place source = place(from);
    Node node = source.directory.entries.get(source.name);
    change(new Change(node, Optional.of(source), Optional.of(place(to))));
  }

  /** Makes the entries of the directory at {@code path} durable, if there is one. */
  void syncDirectory(String path) {
    if (find(path).orElse(null) instanceof Directory directory) {
      sync(directory);
    }
  }

  /** Makes the name of a file durable, and the changes of others in its directory. */
  void syncName(MemoryFile file) {
    for (Change change : List.copyOf(unsynced)) {
      if (change.node == file) {
        change.to.ifPresent(place -> sync(place.directory, file));
      }
    }
  }

  private Place place(String path) {
    return new Place((Directory) find(parent(path)).orElseThrow(), Storage.name(path));
  }

  private void change(Change change) {
    change.apply(Directory::entries);
    unsynced.add(change);
  }

  private boolean isUnsynced(Node node) {
    return unsynced.stream().anyMatch(change -> change.node == node);
  }

  private void sync(Directory directory) {
    sync(directory, root); // which has no name, so only the directory's own changes count
  }

  /**
   * Commits the changes in a directory. New files wait for a sync of their own, which is what a
   * {@link Storage} promises; only {@code synced} does not. With a change goes what happened to the
   * same node before, elsewhere.
   */
  private void sync(Directory directory, Node synced) {
    Set<Node> durable = Collections.newSetFromMap(new IdentityHashMap<>());
    durable.add(synced);
    List<Change> committed = new ArrayList<>();
    for (int i = unsynced.size() - 1; i >= 0; i--) {
      Change change = unsynced.get(i);
      if (durable.contains(change.node) || change.concerns(directory) && !change.isNewFile()) {
        durable.add(change.node);
        committed.add(0, change);
        unsynced.remove(i);
      }
    }
    committed.forEach(change -> change.apply(known -> known.durable));
  }

  /**
   * Returns the tree as its process left it, with the same changes still unsynced.
   *
   * @param survivor returns the surviving form of each file
   */
  MemoryTree afterKill(UnaryOperator<MemoryFile> survivor) {
    Map<Node, Node> copies = new IdentityHashMap<>();
    MemoryTree copy = new MemoryTree((Directory) copy(root, survivor, copies));
    for (Change change : unsynced) {
      copy.unsynced.add(
          new Change(
              copy(change.node, survivor, copies),
              change.from.map(place -> copied(place, survivor, copies)),
              change.to.map(place -> copied(place, survivor, copies))));
    }
    return copy;
  }

  private static Place copied(
      Place place, UnaryOperator<MemoryFile> survivor, Map<Node, Node> copies) {
    return new Place((Directory) copy(place.directory, survivor, copies), place.name);
  }

  private static Node copy(Node node, UnaryOperator<MemoryFile> survivor, Map<Node, Node> copies) {
    Node known = copies.get(node);
    if (known != null) {
      return known;
    }
    if (node instanceof MemoryFile file) {
      MemoryFile left = survivor.apply(file);
      copies.put(file, left);
      return left;
    }
    Directory from = (Directory) node;
    Directory to = new Directory(from.modifiedMillis);
    copies.put(from, to);
    from.entries.forEach((name, child) -> to.entries.put(name, copy(child, survivor, copies)));
    from.durable.forEach((name, child) -> to.durable.put(name, copy(child, survivor, copies)));
    return to;
  }

  /**
   * Returns the tree as a power cut leaves it.
   *
   * @param kept which of the unsynced changes have reached the device
   * @param survivor returns the surviving form of each file
   */
  MemoryTree afterPowerCut(Predicate<Node> kept, UnaryOperator<MemoryFile> survivor) {
    Map<Directory, Map<String, Node>> changed = new IdentityHashMap<>();
    Set<Node> lost = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Change change : unsynced) {
      // Changes of a node after a lost change of the same node are lost as well.
      if (lost.contains(change.node) || !kept.test(change.node)) {
        lost.add(change.node);
      } else {
        change.apply(known -> changed.computeIfAbsent(known, any -> new HashMap<>(any.durable)));
      }
    }
    Directory left = new Directory(root.modifiedMillis);
    rebuild(root, left, changed, survivor);
    return new MemoryTree(left);
  }

  private static void rebuild(
      Directory from,
      Directory to,
      Map<Directory, Map<String, Node>> changed,
      UnaryOperator<MemoryFile> survivor) {
    // In the order of the names, so that chance takes the same way in each run.
    new TreeMap<>(changed.getOrDefault(from, from.durable))
        .forEach(
            (name, node) -> {
              Node left;
              if (node instanceof MemoryFile file) {
                left = survivor.apply(file);
              } else {
                Directory directory = (Directory) node;
                Directory child = new Directory(directory.modifiedMillis);
                rebuild(directory, child, changed, survivor);
                left = child;
              }
              to.entries.put(name, left);
              to.durable.put(name, left);
            });
  }
}
