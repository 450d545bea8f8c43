package dev.cairn.coprocessor.load;

import dev.cairn.server.hook.CoprocessorClass;
import dev.cairn.server.hook.HookKeys;
import java.net.URLClassLoader;
import java.util.Optional;

/** Says why a class could not be loaded, and what helps. */
final class LoadFailure {
  private static final String REMEDY =
      ". Put its jar into HBASE_CLASSPATH of the servers, and restart them";

  private LoadFailure() {}

  /**
   * Returns a sentence that begins in lower case.
   *
   * @param loader the loader that was asked for the class
   */
  static String message(CoprocessorClass named, ClassLoader loader, Throwable failure) {
    return missing(failure)
        .map(type -> missing(named, loader, type))
        .orElseGet(
            () ->
                "the coprocessor "
                    + named.className()
                    + " cannot be loaded"
                    + named.jar().map(jar -> " from " + jar).orElse("")
                    + ": "
                    + failure);
  }

  /** Returns the class that was not found: the coprocessor, or one that it needs. */
  private static Optional<String> missing(Throwable failure) {
    boolean missing =
        failure instanceof ClassNotFoundException || failure instanceof NoClassDefFoundError;
    return Optional.ofNullable(failure.getMessage())
        .map(name -> name.replace('/', '.'))
        .filter(name -> missing && name.matches("[\\p{javaJavaIdentifierPart}.]+"));
  }

  private static String missing(CoprocessorClass named, ClassLoader loader, String missing) {
    boolean itself = missing.equals(named.className());
    String what =
        "the coprocessor "
            + named.className()
            + (itself ? "" : " needs the class " + missing + ", which");
    if (named.jar().isEmpty()) {
      String other = named.ofSite() ? "class|priority|jar" : "jar|class|priority|arguments";
      return what
          + " is not on the class path"
          + REMEDY
          + (itself ? ", or name the jar, as " + other : "");
    }
    String jar = named.jar().get();
    if (!holds(loader, missing)) {
      return what + " is neither in " + jar + " nor on the class path" + REMEDY;
    }
    String group = missing.substring(0, Math.max(0, missing.lastIndexOf('.')));
    return what
        + " is in "
        + jar
        + ", but classes of "
        + group
        + " come from the class path"
        + REMEDY
        + ", or name "
        + group
        + " in "
        + HookKeys.INCLUDED_CLASSES.name();
  }

  /** Tells whether a jar has a class, although its loader asks its parent for the class. */
  private static boolean holds(ClassLoader loader, String type) {
    return loader instanceof URLClassLoader jar
        && jar.findResource(type.replace('.', '/') + ".class") != null;
  }
}
