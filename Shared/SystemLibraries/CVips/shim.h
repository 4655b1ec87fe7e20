#pragma once
#include <vips/vips.h>

// libvips' variadic functions, which Swift cannot call: one function for each use that the image decoder makes of them.

/// Starts libvips with one thread, no cache, and no loader but those of JPEG, PNG and WebP; 0 when it did.
static inline int tandem_vips_start(const char *_Nonnull program) {
  if (vips_init(program) != 0) return -1;
  vips_concurrency_set(1);
  vips_cache_set_max(0);
  vips_block_untrusted_set(TRUE);
  vips_operation_block_set("VipsForeignLoad", TRUE);
  vips_operation_block_set("VipsForeignLoadJpeg", FALSE);
  vips_operation_block_set("VipsForeignLoadPng", FALSE);
  vips_operation_block_set("VipsForeignLoadWebp", FALSE);
  return 0;
}

// Each reads the header only; pixels are decoded while a saver asks for them, from top to bottom. Null for what is none.

static inline VipsImage *_Nullable tandem_vips_open_jpeg(const void *_Nonnull bytes, size_t length) {
  VipsImage *image = NULL;
  int status = vips_jpegload_buffer(
    (void *)bytes, length, &image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
  return status == 0 ? image : NULL;
}

static inline VipsImage *_Nullable tandem_vips_open_png(const void *_Nonnull bytes, size_t length) {
  VipsImage *image = NULL;
  int status = vips_pngload_buffer(
    (void *)bytes, length, &image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
  return status == 0 ? image : NULL;
}

static inline VipsImage *_Nullable tandem_vips_open_webp(const void *_Nonnull bytes, size_t length) {
  VipsImage *image = NULL;
  int status = vips_webpload_buffer(
    (void *)bytes, length, &image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
  return status == 0 ? image : NULL;
}

/// The image as a camera's orientation wants it to be seen. Takes the reference that it is given; null when pixels cannot be read.
static inline VipsImage *_Nullable tandem_vips_upright(VipsImage *_Nonnull image) {
  if (vips_image_get_orientation(image) == 1) return image;
  // Turning needs the pixels in any order, so all of them in memory.
  VipsImage *whole = vips_image_copy_memory(image);
  g_object_unref(image);
  if (whole == NULL) return NULL;
  VipsImage *upright = NULL;
  int status = vips_autorot(whole, &upright, NULL);
  g_object_unref(whole);
  return status == 0 ? upright : NULL;
}

/// The image in sRGB, or grey, with 8 bits a channel: what it is once its colour profile is gone. Takes the reference that it is given.
static inline VipsImage *_Nullable tandem_vips_plain_colours(VipsImage *_Nonnull image) {
  VipsImage *plain = NULL;
  if (vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0) {
    if (vips_icc_transform(image, &plain, "srgb", "embedded", TRUE, NULL) == 0) {
      g_object_unref(image);
      return plain;
    }
    // A profile that says nothing sensible is as good as none.
    vips_error_clear();
    plain = NULL;
  }
  VipsInterpretation space = vips_image_guess_interpretation(image);
  VipsInterpretation wanted = space == VIPS_INTERPRETATION_B_W || space == VIPS_INTERPRETATION_GREY16
    ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
  int status = vips_colourspace(image, &plain, wanted, NULL);
  g_object_unref(image);
  return status == 0 ? plain : NULL;
}

/// The image with nothing but pixels: no field that a loader found, whatever it is called. Takes the reference that it is given.
///
/// The savers' own option to strip is not enough: that of WebP keeps EXIF and XMP.
static inline VipsImage *_Nullable tandem_vips_pixels_only(VipsImage *_Nonnull image) {
  VipsImage *bare = NULL;
  int status = vips_copy(image, &bare, NULL);
  g_object_unref(image);
  if (status != 0) return NULL;
  char **fields = vips_image_get_fields(bare);
  for (char **field = fields; field != NULL && *field != NULL; field++) vips_image_remove(bare, *field);
  g_strfreev(fields);
  return bare;
}

/// The image made to fit into a square of `side` pixels, never enlarged; null when it cannot be read.
static inline VipsImage *_Nullable tandem_vips_thumbnail(const void *_Nonnull bytes, size_t length, int side) {
  VipsImage *small = NULL;
  int status = vips_thumbnail_buffer(
    (void *)bytes, length, &small, side, "height", side, "size", VIPS_SIZE_DOWN, "no_rotate", TRUE, NULL);
  return status == 0 ? small : NULL;
}

// Each writes without metadata into memory that `g_free` frees; 0 when it did. What is transparent becomes white in a JPEG.

static inline int tandem_vips_save_jpeg(
  VipsImage *_Nonnull image, int quality, void *_Nullable *_Nonnull bytes, size_t *_Nonnull length) {
  double white[] = {255, 255, 255};
  VipsArrayDouble *background = vips_array_double_new(white, 3);
  int status = vips_jpegsave_buffer(
    image, bytes, length, "Q", quality, "strip", TRUE, "optimize_coding", TRUE, "background", background, NULL);
  vips_area_unref(VIPS_AREA(background));
  return status;
}

static inline int tandem_vips_save_png(
  VipsImage *_Nonnull image, void *_Nullable *_Nonnull bytes, size_t *_Nonnull length) {
  return vips_pngsave_buffer(image, bytes, length, "strip", TRUE, "compression", 6, NULL);
}

static inline int tandem_vips_save_webp(
  VipsImage *_Nonnull image, int quality, void *_Nullable *_Nonnull bytes, size_t *_Nonnull length) {
  return vips_webpsave_buffer(image, bytes, length, "Q", quality, "strip", TRUE, "effort", 2, NULL);
}

/// Gives the reference back.
static inline void tandem_vips_release(VipsImage *_Nonnull image) { g_object_unref(image); }
