package dev.cairn.server.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * A file that pages use, served at {@code /static/NAME}.
 *
 * @param name its name: letters, digits, hyphens and dots
 * @param type its content type
 * @param text its content
 */
public record Asset(String name, String type, String text) {
  /** Checks the name. */
  public Asset {
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9.-]*")) {
      throw new IllegalArgumentException("Not the name of a file: " + name);
    }
  }

  /** Reads a resource of a class's package. The end of the name decides on the type. */
  public static Asset of(Class<?> beside, String name) {
    return read(beside, name, name);
  }

  /**
   * Reads a resource.
   *
   * @param path where it is, relative to the class, or from the root of the class path if it begins
   *     with a slash
   * @param name the name under which it is served
   */
  public static Asset read(Class<?> beside, String path, String name) {
    try (InputStream in = beside.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalArgumentException("No such resource: " + path);
      }
      return new Asset(name, type(name), new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("The resource " + path + " is unreadable", e);
    }
  }

  private static String type(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "css" -> "text/css";
      case "js" -> "text/javascript";
      case "svg" -> "image/svg+xml";
      default -> throw new IllegalArgumentException("No type for " + name);
    };
  }
}
