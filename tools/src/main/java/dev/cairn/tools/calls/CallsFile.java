package dev.cairn.tools.calls;

import dev.cairn.engine.compile.CompiledApart;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Writes the file for {@code -XX:CompileCommandFile}: all methods that {@link CompiledApart} marks,
 * and those of a list of foreign methods.
 */
public final class CallsFile {
  private static final String CLASS = ".class";

  private CallsFile() {}

  /**
   * Writes the file, unless it is there with the same content.
   *
   * @param arguments the file to write; the list of foreign methods; a class of each module that
   *     may have marked methods
   */
  public static void main(String... arguments) throws IOException, ReflectiveOperationException {
    Path file = Path.of(arguments[0]);
    Set<String> marked = new TreeSet<>();
    for (String type : List.of(arguments).subList(2, arguments.length)) {
      marked.addAll(markedMethods(Class.forName(type)));
    }
    List<String> commands = new ArrayList<>();
    commands.add("# Written by the build from @CompiledApart and foreign.calls.");
    commands.add("quiet");
    marked.forEach(method -> commands.add("dontinline " + method));
    Files.readAllLines(Path.of(arguments[1])).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .forEach(method -> commands.add("dontinline " + method));
    if (!Files.exists(file) || !Files.readAllLines(file).equals(commands)) {
      Files.createDirectories(file.getParent());
      Files.write(file, commands);
    }
  }

  /** Returns the marked methods of the folder or jar that {@code type} is from. */
  private static Set<String> markedMethods(Class<?> type)
      throws IOException, ReflectiveOperationException {
    Path origin = origin(type);
    if (Files.isDirectory(origin)) {
      return markedMethods(origin, type.getClassLoader());
    }
    try (FileSystem jar = FileSystems.newFileSystem(origin)) {
      return markedMethods(jar.getPath("/"), type.getClassLoader());
    }
  }

  private static Path origin(Class<?> type) {
    URI location;
    try {
      location = type.getProtectionDomain().getCodeSource().getLocation().toURI();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("Not the place of a class: " + type, e);
    }
    return Path.of(location);
  }

  private static Set<String> markedMethods(Path root, ClassLoader loader)
      throws IOException, ReflectiveOperationException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(file -> file.toString().endsWith(CLASS)).toList();
    }
    Set<String> methods = new TreeSet<>();
    for (Path file : files) {
      if (namesTheMark(file)) {
        String path = root.relativize(file).toString();
        String name =
            path.substring(0, path.length() - CLASS.length())
                .replace(root.getFileSystem().getSeparator(), ".");
        for (Method method : Class.forName(name, false, loader).getDeclaredMethods()) {
          if (method.isAnnotationPresent(CompiledApart.class)) {
            methods.add(name + "::" + method.getName());
          }
        }
      }
    }
    return methods;
  }

  /** Tells whether the constants of a class name the mark; most classes need not be loaded. */
  private static boolean namesTheMark(Path file) throws IOException {
    String mark = CompiledApart.class.getName().replace('.', '/');
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(mark);
  }
}
