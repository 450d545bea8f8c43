package dev.cairn.server.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A parsed request for a page.
 *
 * @param path the path without the query
 * @param query the parameters, each {@code name=value}
 * @param accept the {@code Accept} header, empty if absent
 */
record WebRequest(String path, List<String> query, String accept) {
  /** Parses the target of a request line. */
  static WebRequest of(String target, String accept) {
    int mark = target.indexOf('?');
    return mark < 0
        ? new WebRequest(target, List.of(), accept)
        : new WebRequest(
            target.substring(0, mark),
            Arrays.asList(target.substring(mark + 1).split("&")),
            accept);
  }

  /** Returns the same request with the parameters of a form. */
  WebRequest with(String form) {
    return new WebRequest(path, Arrays.asList(form.split("&")), accept);
  }

  /** Returns the decoded value of a parameter; empty if it is absent or badly encoded. */
  Optional<String> parameter(String name) {
    return query.stream()
        .filter(parameter -> parameter.startsWith(name + "="))
        .findFirst()
        .flatMap(parameter -> decoded(parameter.substring(name.length() + 1)));
  }

  /** Returns all decoded parameters; the first one of each name, without badly encoded ones. */
  Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String parameter : query) {
      int mark = parameter.indexOf('=');
      if (mark > 0) {
        Optional<String> name = decoded(parameter.substring(0, mark));
        Optional<String> value = decoded(parameter.substring(mark + 1));
        if (name.isPresent() && value.isPresent()) {
          parameters.putIfAbsent(name.get(), value.get());
        }
      }
    }
    return parameters;
  }

  private static Optional<String> decoded(String value) {
    try {
      return Optional.of(URLDecoder.decode(value, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Tells whether the query requests JSON. */
  boolean hasJsonFormat() {
    return query.contains("format=json");
  }

  /** Tells whether the query or the {@code Accept} header requests JSON. */
  boolean wantsJson() {
    return hasJsonFormat() || accept.contains("application/json") && !accept.contains("text/");
  }
}
