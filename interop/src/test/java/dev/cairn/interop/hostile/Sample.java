package dev.cairn.interop.hostile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.DynamicMessage;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.TextFormat;

/**
 * A good message for a method, as {@code samples.txt} has it.
 *
 * @param service the service's name
 * @param method the method's name
 * @param cells how many cells lie beside it
 * @param marks what else stands behind the name
 * @param text the message as text, with places to fill in
 */
record Sample(String service, String method, int cells, Set<String> marks, String text) {

  /** Reads all samples. */
  static List<Sample> all() throws IOException {
    List<Sample> samples = new ArrayList<>();
    for (List<String> lines : paragraphs("/hostile/samples.txt")) {
      samples.add(parse(lines.get(0), String.join("\n", lines.subList(1, lines.size()))));
    }
    return samples;
  }

  /** Returns the paragraphs of a resource, without the lines that are comments. */
  static List<List<String>> paragraphs(String resource) throws IOException {
    String file;
    try (InputStream in = Sample.class.getResourceAsStream(resource)) {
      file = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    List<List<String>> paragraphs = new ArrayList<>();
    for (String paragraph : file.split("\n\n+")) {
      List<String> lines = paragraph.lines().filter(line -> !line.startsWith("#")).toList();
      if (!lines.isEmpty()) {
        paragraphs.add(lines);
      }
    }
    return paragraphs;
  }

  /** Makes a sample of its first line and its text. */
  static Sample parse(String head, String text) {
    List<String> words = Arrays.asList(head.split(" "));
    String[] name = words.get(0).split("\\.");
    int cells =
        words.stream()
            .filter(word -> word.startsWith("cells="))
            .mapToInt(word -> Integer.parseInt(word.substring("cells=".length())))
            .sum();
    return new Sample(name[0], name[1], cells, Set.copyOf(words), text);
  }

  String name() {
    return service + "." + method;
  }

  /** Tells whether the server answers the good message with an error. */
  boolean refused() {
    return marks.contains("refused");
  }

  /** Tells whether the good message stops the server. */
  boolean stops() {
    return marks.contains("stops");
  }

  /** Returns the message, its places filled in. */
  Message message(MethodDescriptor method, Map<String, String> places) throws IOException {
    String filled = text;
    for (Map.Entry<String, String> place : places.entrySet()) {
      filled = filled.replace("<" + place.getKey() + ">", place.getValue());
    }
    DynamicMessage.Builder builder = DynamicMessage.newBuilder(method.getInputType());
    TextFormat.merge(filled, builder);
    return builder.build();
  }
}
